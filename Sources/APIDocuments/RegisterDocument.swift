import Bundles
import Bytes
package import Identifiers
package import Inspection
import Releases

/// A build's verdicts: what holds for every device, then each device.
package struct RegisterDocument: Codable, Equatable, Sendable {
    /// Its keys stand beside the others.
    package let general: ValidationDocument
    package private(set) var devices: [DeviceVerdictEntry]
    package let count: RegisterCount
    /// What blocks single devices, each kind once, with how many they are.
    package let reasons: [FindingDocument]
    /// What to give as `after` for the devices of the next page; nil on the last one.
    package private(set) var next: Int?

    private enum Key: String, CodingKey { case devices, reasons, next }

    /// With `udids` devices are named by their identifiers too; without `names` by their models only.
    ///
    /// - Parameters:
    ///   - judgement: of the build itself.
    ///   - expiry: what ends it.
    ///   - verdicts: of all devices.
    ///   - udids: whether identifiers may be shown.
    ///   - names: whether names may be shown.
    ///   - after: how many devices are left out, which stand on the pages before.
    ///   - limit: how many devices to name at most.
    package init(
        _ judgement: DeviceVerdict,
        expiry: Expiry?,
        verdicts: RegisterVerdicts,
        udids: Bool,
        names: Bool = true,
        after: Int = 0,
        limit: Int = .max,
    ) {
        let verdict = verdicts.verdict ?? judgement.verdict
        general = ValidationDocument(
            DeviceVerdict(verdict: verdict, findings: judgement.findings),
            expiry: expiry,
            udids: udids,
        )
        devices = verdicts.entries(after: after, limit: limit)
            .map { DeviceVerdictEntry($0, udids: udids, names: names) }
        next = verdicts.count - after > limit ? after + limit : nil
        count = RegisterCount(verdicts)
        reasons = verdicts.reasons(beside: judgement.findings).map {
            FindingDocument($0.finding, count: $0.devices)
        }
    }

    package init(from decoder: any Decoder) throws {
        general = try ValidationDocument(from: decoder)
        count = try RegisterCount(from: decoder)
        let values = try decoder.container(keyedBy: Key.self)
        devices = try values.decode([DeviceVerdictEntry].self, forKey: .devices)
        reasons = try values.decode([FindingDocument].self, forKey: .reasons)
        next = try values.decodeIfPresent(Int.self, forKey: .next)
    }

    /// Adds the devices of the page behind this one.
    package mutating func add(_ page: RegisterDocument) {
        devices += page.devices
        next = page.next
    }

    package func encode(to encoder: any Encoder) throws {
        try general.encode(to: encoder)
        try count.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(devices, forKey: .devices)
        try container.encode(reasons, forKey: .reasons)
        try container.encodeIfPresent(next, forKey: .next)
    }
}

/// How many of the devices in use can install a build.
package struct RegisterCount: Codable, Equatable, Sendable {
    package let registered: Int
    package let canInstall: Int

    package init(_ verdicts: RegisterVerdicts) {
        registered = verdicts.count
        canInstall = verdicts.canInstall
    }

    /// See ``RegisterVerdicts/verdict``.
    package var verdict: Verdict? {
        switch canInstall {
        case _ where registered == 0: nil
        case 0: .blocked
        case registered: .installs
        default: .unknown
        }
    }

    /// As in `12 of 15 devices can install it.`, which is a sentence.
    package var sentence: String {
        "\(canInstall.grouped) of \(Wording.count(registered, "device")) can install it."
    }

    /// The same beside another result, with the command that says more.
    package func sentence(explainedBy command: String) -> String {
        guard canInstall < registered else {
            return registered == 1
                ? "The only known device can install it."
                : "All \(registered) known devices can install it."
        }
        return "\(canInstall.grouped) of \(Wording.count(registered, "known device")) can install "
            + "it; \(command) says why."
    }
}

/// One device and its verdict.
package struct DeviceVerdictEntry: Codable, Equatable, Sendable {
    /// Absent unless requested, and for readers who may not see it.
    package let udid: DeviceUDID?
    /// The name of its model or family, for readers who may not see devices.
    package let name: String
    package let family: ProductFamily
    @OrNull package var model: String?
    @OrNull package var os: String?
    package let verdict: Verdict
    /// What decides, or is not known, in a few words.
    package let why: String
    /// The identifiers of what blocks, and what each says.
    package let reasons: [String]
    package let messages: [String]

    init(_ entry: RegisterVerdicts.Entry, udids: Bool, names: Bool) {
        let device = entry.device
        udid = udids ? device.udid : nil
        name = names ? device.name : device.modelName ?? device.family.title
        family = device.family
        model = device.model
        os = device.os?.description
        verdict = entry.judged.verdict
        why = entry.why
        reasons = entry.judged.reasons.map(\.id)
        messages = entry.judged.reasons.map(\.message)
    }
}
