import Inspection
import Sample
import Testing

/// A way to break a good build, and the single finding that it must cause.
struct RuleCase: Sendable, CustomTestStringConvertible {
    let id: String
    let severity: Severity
    let place: String
    let spoil: @Sendable (IPABuilder) throws -> IPABuilder

    /// - Parameters:
    ///   - id: the rule that must report it.
    ///   - severity: severity of the finding.
    ///   - place: path relative to the app's folder, such as `/Info.plist`; empty for the folder itself.
    ///   - spoil: introduces exactly this defect into a good build.
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
