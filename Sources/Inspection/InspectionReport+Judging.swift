import Bundles
import Identifiers

package import Essentials

extension InspectionReport {
    /// What holds for every device, judged again at `date`, those that block first.
    package func findings(at date: Date) -> [Finding] {
        let lasting = findings.filter { Rule.named($0.id)?.isDated != true }
            .map { $0.asOf(inspected, toldAt: date) }
        return Self.ranked(lasting + ExpiryRules.findings(in: self, at: date)).merged
    }

    /// Whether the build installs on a device about which nothing is known.
    ///
    /// ``Verdict/unknown`` when only the profile's list of devices decides.
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

    /// Whether the build installs on one device.
    ///
    /// An unknown fact, such as the version of iOS, is a note among the findings; what is known
    /// decides. Without a UDID a profile's list of devices leaves it ``Verdict/unknown``. For many
    /// devices, a ``ReportJudge`` takes less time.
    package func verdict(for device: DeviceFacts, at date: Date) -> DeviceVerdict {
        verdict(for: device, beside: findings(at: date).filter { $0.devices == nil })
    }

    /// - Parameters:
    ///   - device: which.
    ///   - lasting: what holds for every device on the day.
    /// - Returns: whether the build installs, and why.
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

    /// The app's profile first, then those of what is nested, each with its place.
    package var profiles: [(place: String, profile: ProfileSummary)] {
        bundles.compactMap { bundle in bundle.profile.map { (bundle.profilePlace, $0) } }
    }

    /// By severity; those of one severity stay in the order they were found.
    static func ranked(_ findings: [Finding]) -> [Finding] {
        Severity.allCases.flatMap { severity in findings.filter { $0.severity == severity } }
    }
}

extension Finding {
    /// A finding about the channel and the register of one day, worded for a later one: both may
    /// have changed since, and their former state is not kept.
    fileprivate func asOf(_ day: Date, toldAt date: Date) -> Finding {
        guard id.hasPrefix("history."), day.day != date.day else { return self }
        return saying(message + " (As of \(day.day).)")
    }

    /// The finding as it holds on one version of iOS: it blocks or, before ``blocksFrom``, is none.
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
