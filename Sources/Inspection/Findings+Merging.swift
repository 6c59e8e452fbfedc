import Bundles
import Bytes
import Identifiers

extension [Finding] {
    /// The findings with equal ones about several bundles merged into one, which lists the other places.
    ///
    /// Findings are equal when rule, severity, message and devices are the same; findings of `lint.`
    /// rules also need the same place. For rules about the dates or the kind of a profile or certificate,
    /// rule and severity suffice, because each bundle may name another profile.
    var merged: [Finding] {
        guard count > 1 else { return self }
        var order: [Key] = []
        var alike: [Key: [Finding]] = [:]
        for finding in self {
            let key = Key(finding)
            if alike[key] == nil { order.append(key) }
            alike[key, default: []].append(finding)
        }
        return order.compactMap { key in
            guard let all = alike[key], let first = all.first else { return nil }
            let places = all.dropFirst().map(\.place).filter { $0 != first.place }
            guard !places.isEmpty, first.message.hasSuffix(".") else { return first }
            let verb =
                all.allSatisfy { $0.message == first.message } ? "the same holds for" : "likewise"
            return first.saying("\(first.message.dropLast()); \(verb) \(quoted: places).")
        }
    }
}

/// The values by which findings are merged.
private struct Key: Hashable {
    private let id: String
    private let severity: Severity
    private let isForDevices: Bool
    private let message: String?
    private let version: OSVersion?
    private let devices: [DeviceUDID]?
    private let place: String?

    init(_ finding: Finding) {
        id = finding.id
        severity = finding.severity
        isForDevices = finding.devices != nil
        version = finding.blocksFrom
        let isOfEachProfile = Self.ofEachProfile.contains(finding.id) && finding.devices == nil
        message = isOfEachProfile ? nil : finding.message
        devices = isOfEachProfile ? nil : finding.devices
        place = !isOfEachProfile && finding.id.hasPrefix("lint.") ? finding.place : nil
    }

    private static let ofEachProfile: Set = [
        "certificate.expired", "certificate.expires-soon", "certificate.not-yet-valid",
        "profile.app-store", "profile.expired", "profile.expires-soon", "profile.no-certificates",
        "profile.no-devices", "profile.not-yet-valid", "profile.online-check",
        "profile.second-form-missing", "profile.testflight", "profile.wrong-platform",
    ]
}
