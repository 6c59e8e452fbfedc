import Bundles
import Bytes
import Identifiers

extension [Finding] {
    /// The same finding about several bundles, said once with the others named.
    ///
    /// Most are the same when they say the same, but for what is counted where it is found (`lint.`).
    /// What ends or forbids a profile or a certificate is
    /// the same for each bundle though it names another profile.
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

/// What makes two findings one.
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
