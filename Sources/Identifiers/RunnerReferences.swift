/// The references whose builds a runner takes.
package enum RunnerReferences: String, Codable, Sendable, CaseIterable {
    /// Those that the mirror trusts.
    case trusted
    /// Those that it does not: anyone who can push one runs commands on the machine.
    case untrusted
    /// All: then anyone who can push any reference can also reach the builds of trusted ones, with
    /// their secrets.
    case any

    /// Whether a build of a reference is among them.
    package func include(untrusted isUntrusted: Bool) -> Bool {
        switch self {
        case .trusted: !isUntrusted
        case .untrusted: isUntrusted
        case .any: true
        }
    }

    /// For sentences: `builds trusted references`.
    package var words: String {
        switch self {
        case .trusted: "trusted references"
        case .untrusted: "untrusted references"
        case .any: "any reference"
        }
    }
}
