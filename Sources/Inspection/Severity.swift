/// How much a finding matters; the raw values are part of the JSON format.
package enum Severity: String, Codable, Sendable, CaseIterable {
    /// The build does not install.
    case blocks
    /// It installs today, or Apple does not document it; the admin should check it.
    case warns
    /// Worth knowing, with nothing to fix.
    case notes
}

extension Severity: Comparable {
    /// Orders notes before warnings and warnings before blocking findings.
    package static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .notes: 0
        case .warns: 1
        case .blocks: 2
        }
    }
}
