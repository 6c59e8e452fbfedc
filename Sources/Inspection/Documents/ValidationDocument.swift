import Bundles

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// What `ota validate --json` prints: the verdict and the findings that it rests on.
package struct ValidationDocument: Encodable, Sendable {
    private let judgement: DeviceVerdict
    private let installsUntil: Date?
    private let udids: Bool

    /// With `udids` a finding names the devices that it concerns, not only how many they are.
    package init(_ judgement: DeviceVerdict, installsUntil: Date? = nil, udids: Bool = false) {
        self.judgement = judgement
        self.installsUntil = installsUntil
        self.udids = udids
    }

    package init(_ refusal: UnreadableArchive) {
        self.init(refusal.verdict)
    }

    private enum Key: String, CodingKey { case schema, verdict, installsUntil, findings }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(1, forKey: .schema)
        try container.encode(judgement.verdict, forKey: .verdict)
        try container.encode(installsUntil?.iso8601, forKey: .installsUntil)
        try container.encode(
            judgement.findings.map { FindingDocument($0, udids: udids) },
            forKey: .findings,
        )
    }
}

/// A finding as JSON for scripts: every key there, devices as a number.
package struct FindingDocument: Encodable, Sendable {
    private let finding: Finding
    private let udids: Bool

    package init(_ finding: Finding, udids: Bool = false) {
        self.finding = finding
        self.udids = udids
    }

    private enum Key: String, CodingKey {
        case id, severity, place, message, mend, appleCode, devices, deviceIdentifiers
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(finding.id, forKey: .id)
        try container.encode(finding.severity, forKey: .severity)
        try container.encode(finding.place, forKey: .place)
        try container.encode(finding.message, forKey: .message)
        try container.encode(finding.mend, forKey: .mend)
        try container.encode(finding.appleCode, forKey: .appleCode)
        try container.encode(finding.devices?.count, forKey: .devices)
        if udids { try container.encode(finding.devices, forKey: .deviceIdentifiers) }
    }
}
