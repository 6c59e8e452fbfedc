import Bundles
import Identifiers

package import Essentials

extension InspectionReport {
    /// The findings that hold for every device, with those that depend on the date judged again at
    /// `date`; those that block come first.
    package func findings(at date: Date) -> [Finding] {
        let lasting = findings.filter { Rule.named($0.id)?.isDated != true }
            .map { $0.asOf(inspected, toldAt: date) }
        return Self.ranked(lasting + ExpiryRules.findings(in: self, at: date)).merged
    }

    /// Whether the build installs on a device about which nothing is known.
    ///
    /// ``Verdict/unknown`` when it depends only on the profile's device list.
    package func verdict(at date: Date) -> DeviceVerdict {
        let findings = findings(at: date)
        let verdict: Verdict =
            if findings.contains(where: \.blocksEveryDevice) {
                .blocked
            } else if isForListedDevices {
                .unknown
            } else {
                .installs
            }
        return DeviceVerdict(verdict: verdict, findings: findings)
    }

    /// Whether the build installs on `device`.
    ///
    /// An unknown fact, such as the version of iOS, becomes a note; the known facts decide. Without a
    /// UDID, a profile with a device list makes the verdict ``Verdict/unknown``. For many devices, a
    /// ``ReportJudge`` is faster.
    package func verdict(for device: DeviceFacts, at date: Date) -> DeviceVerdict {
        verdict(for: device, beside: findings(at: date).filter { $0.devices == nil })
    }

    /// - Parameters:
    ///   - device: the device.
    ///   - lasting: the findings that hold for every device on that day.
    /// - Returns: whether the build installs, with the findings behind it.
    func verdict(for device: DeviceFacts, beside lasting: [Finding]) -> DeviceVerdict {
        let general = lasting.compactMap { $0.concerning(device.comparableOS) }
        let own = DeviceRules.findings(in: self, for: device)
            .filter { finding in
                !general.contains { $0.id == finding.id && $0.place == finding.place }
            }
        let findings = Self.ranked(general + own).merged
        let verdict: Verdict =
            if findings.contains(where: { $0.severity == .blocks }) {
                .blocked
            } else if device.udid == nil, isForListedDevices {
                .unknown
            } else {
                .installs
            }
        return DeviceVerdict(verdict: verdict, findings: findings)
    }

    /// Whether only devices that a profile lists can install it.
    private var isForListedDevices: Bool {
        profiles.contains(where: \.profile.type.isLimitedToListedDevices)
    }

    /// The profiles of the app and then of its nested bundles, each with its path.
    package var profiles: [(place: String, profile: ProfileSummary)] {
        bundles.compactMap { bundle in bundle.profile.map { (bundle.profilePlace, $0) } }
    }

    /// Sorts by severity and keeps the order within one severity.
    static func ranked(_ findings: [Finding]) -> [Finding] {
        Severity.allCases.flatMap { severity in findings.filter { $0.severity == severity } }
    }
}

extension Finding {
    /// Adds the date to a finding about the channel and the registered devices when it is shown on a
    /// later day: both may have changed since, and their former state is not stored.
    fileprivate func asOf(_ day: Date, toldAt date: Date) -> Finding {
        guard id.hasPrefix("history."), day.day != date.day else { return self }
        return saying(message + " (As of \(day.day).)")
    }

    /// The finding on one version of iOS: it blocks from ``blocksFrom`` on, and is nil before.
    fileprivate func concerning(_ version: OSVersion?) -> Finding? {
        guard let blocksFrom, let version else { return self }
        guard version >= blocksFrom else { return nil }
        return Finding(
            id: id,
            severity: .blocks,
            place: place,
            message: message,
            fix: fix,
            appleCode: appleCode,
            devices: devices,
        )
    }
}
