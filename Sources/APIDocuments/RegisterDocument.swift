import Bundles
import Bytes
package import Identifiers
package import Inspection
import Releases

/// The verdict on a build in general, and for each device.
package struct RegisterDocument: Codable, Equatable, Sendable {
    /// The general verdict; its keys are in the same JSON object as the others.
    package let general: ValidationDocument
    package private(set) var devices: [DeviceVerdictEntry]
    package let count: RegisterCount
    /// The findings that block single devices, each kind once with the number of devices.
    package let reasons: [FindingDocument]
    /// The value of `after` for the next page of devices; nil on the last page.
    package private(set) var next: Int?

    private enum Key: String, CodingKey { case devices, reasons, next }

    /// Creates the document.
    ///
    /// With `udids` it includes the UDIDs of devices; without `names` it has only their models.
    ///
    /// - Parameters:
    ///   - judgement: the verdict on the build itself.
    ///   - expiry: what makes the build expire.
    ///   - verdicts: the verdicts for all devices.
    ///   - udids: whether to include UDIDs.
    ///   - names: whether to include names.
    ///   - after: the number of devices on the previous pages, which are left out.
    ///   - limit: the most devices to include.
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

    /// Appends the devices of the next page.
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

    /// The count as a sentence, such as `12 of 15 devices can install it.`.
    package var sentence: String {
        "\(canInstall.grouped) of \(Wording.count(registered, "device")) can install it."
    }

    /// The count as a sentence next to another result, with the command that explains it.
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
    /// The device's name, or for readers who may not see devices, its model or family.
    package let name: String
    package let family: ProductFamily
    @OrNull package var model: String?
    @OrNull package var os: String?
    package let verdict: Verdict
    /// The deciding reason, or what is unknown, in a few words.
    package let why: String
    /// The identifiers of the blocking findings, and their messages.
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
