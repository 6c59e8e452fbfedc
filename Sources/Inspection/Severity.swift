/// How much a finding matters; the raw values are a JSON contract.
package enum Severity: String, Codable, Sendable, CaseIterable {
    /// The build does not install.
    case blocks
    /// It installs today, or Apple does not say; the admin should look at it.
    case warns
    /// Worth knowing, nothing to fix.
    case notes
}

extension Severity: Comparable {
    /// Notes come before warnings, warnings before what blocks.
    package static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .notes: 0
        case .warns: 1
        case .blocks: 2
        }
    }
}
