/// Which references a runner builds, by their trust.
package enum RunnerReferences: String, Codable, Sendable, CaseIterable {
    /// References that the mirror trusts.
    case trusted
    /// References that it does not trust: anyone who can push one can run commands on the machine.
    case untrusted
    /// All references: anyone who can push any of them can then also reach the builds of trusted ones,
    /// with their secrets.
    case any

    /// Whether the runner builds a reference that is trusted or not.
    package func include(untrusted isUntrusted: Bool) -> Bool {
        switch self {
        case .trusted: !isUntrusted
        case .untrusted: isUntrusted
        case .any: true
        }
    }

    /// For messages: `builds trusted references`.
    package var words: String {
        switch self {
        case .trusted: "trusted references"
        case .untrusted: "untrusted references"
        case .any: "any reference"
        }
    }
}
