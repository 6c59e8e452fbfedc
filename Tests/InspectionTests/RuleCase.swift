import Inspection
import Sample
import Testing

/// One way to spoil a good build, and the one finding that it must give.
struct RuleCase: Sendable, CustomTestStringConvertible {
    let id: String
    let severity: Severity
    let place: String
    let spoil: @Sendable (IPABuilder) throws -> IPABuilder

    /// - Parameters:
    ///   - id: the rule that must find it.
    ///   - severity: as the finding has it.
    ///   - place: below the app's folder, such as `/Info.plist`; empty for the folder itself.
    ///   - spoil: makes of a good build one that has exactly this fault.
    init(
        _ id: String,
        _ severity: Severity = .blocks,
        at place: String = "",
        _ spoil: @escaping @Sendable (IPABuilder) throws -> IPABuilder,
    ) {
        self.id = id
        self.severity = severity
        self.place = "Payload/Example.app" + place
        self.spoil = spoil
    }

    var testDescription: String { "\(id) at \(place)" }

    /// Every case, by family.
    static let all: [RuleCase] =
        infoPlist + profile + nested + clip + watch + signature + seal + code + entitlement + plugin
        + lint
        + structure
}
