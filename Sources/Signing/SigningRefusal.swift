package import Bytes
package import Problems

/// Why something cannot be signed.
package enum SigningRefusal: ReportableError, Equatable {
    /// A Mach-O file cannot carry the signature that it needs.
    case program(ProgramFault, at: RelativePath)
    /// The bytes of a file could not be read.
    case unreadable(RelativePath, reason: String)

    package var description: String {
        switch self {
        case .program(let fault, let path): "\(quoted: path) \(fault)"
        case .unreadable(let path, let reason): "\(quoted: path) cannot be read: \(reason)"
        }
    }

    package var id: String {
        switch self {
        case .program(let fault, _): fault.id
        case .unreadable: "signing.unreadable"
        }
    }

    package var kind: Problem.Kind {
        switch self {
        case .program(let fault, _): fault.kind
        case .unreadable: .unavailable
        }
    }

    package var place: String {
        switch self {
        case .program(_, let path), .unreadable(let path, _): PrintableText(escaping: path).text
        }
    }

    package var fix: String {
        switch self {
        case .program(let fault, _): fault.fix
        case .unreadable: "check that the build is complete, and give it again"
        }
    }
}
