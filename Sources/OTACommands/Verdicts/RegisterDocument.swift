import Bundles
import Inspection
import Releases

/// A build's verdicts as JSON: what holds for every device, then each device.
struct RegisterDocument: Encodable {
    let general: ValidationDocument
    let verdicts: RegisterVerdicts
    /// Whether devices are named by their identifiers too.
    let udids: Bool

    private enum Key: String, CodingKey { case devices, registered, canInstall }

    func encode(to encoder: any Encoder) throws {
        try general.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(
            verdicts.entries.map { DeviceVerdictRow($0, udids: udids) },
            forKey: .devices,
        )
        try container.encode(verdicts.entries.count, forKey: .registered)
        try container.encode(verdicts.canInstall, forKey: .canInstall)
    }
}

/// How many of the devices in use can install a build, beside another result.
struct RegisterCount: Encodable {
    let registered: Int
    let canInstall: Int

    init(_ verdicts: RegisterVerdicts) {
        registered = verdicts.entries.count
        canInstall = verdicts.canInstall
    }
}

/// One device and its verdict.
private struct DeviceVerdictRow: Encodable {
    /// Absent unless asked for.
    let udid: String?
    let name: String
    let family: String
    @OrNull var model: String?
    @OrNull var os: String?
    let verdict: Verdict
    /// The identifiers of what blocks, and what each says.
    let reasons: [String]
    let messages: [String]

    init(_ entry: RegisterVerdicts.Entry, udids: Bool) {
        let device = entry.device
        udid = udids ? device.udid.rawValue : nil
        name = device.name
        family = device.family.rawValue
        model = device.model
        os = device.os?.description
        verdict = entry.judged.verdict
        reasons = entry.judged.reasons.map(\.id)
        messages = entry.judged.reasons.map(\.message)
    }
}
