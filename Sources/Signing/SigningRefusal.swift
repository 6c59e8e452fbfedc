package import Bundles
package import Bytes
package import Problems

/// Why something cannot be signed.
package enum SigningRefusal: ReportableError, Equatable {
    /// A Mach-O file cannot carry the signature that it needs.
    case program(ProgramFault, at: RelativePath)
    /// The bytes of a file could not be read.
    case unreadable(RelativePath, reason: String)
    /// A bundle, or what it should be signed with, does not allow it.
    case bundle(BundleFault, at: RelativePath)
    /// The archive, or the app in it, cannot be read.
    case archive(BundleRefusal)

    package var description: String {
        switch self {
        case .program(let fault, let path): "\(quoted: path) \(fault)"
        case .unreadable(let path, let reason): "\(quoted: path) cannot be read: \(reason)"
        case .bundle(let fault, let path): "\(quoted: path) \(fault)"
        case .archive(let refusal): refusal.description
        }
    }

    package var id: String {
        switch self {
        case .program(let fault, _): fault.id
        case .unreadable: "signing.unreadable"
        case .bundle(let fault, _): fault.id
        case .archive(let refusal): refusal.id
        }
    }

    package var kind: Problem.Kind {
        switch self {
        case .program(let fault, _): fault.kind
        case .unreadable: .unavailable
        case .bundle(let fault, _): fault.kind
        case .archive(let refusal): refusal.kind
        }
    }

    package var place: String {
        switch self {
        case .program(_, let path), .unreadable(let path, _), .bundle(_, let path):
            PrintableText(escaping: path).text
        case .archive(let refusal): refusal.place
        }
    }

    package var fix: String {
        switch self {
        case .program(let fault, _): fault.fix
        case .unreadable: "check that the build is complete, and sign it again"
        case .bundle(let fault, _): fault.fix
        case .archive(let refusal): refusal.fix
        }
    }
}
