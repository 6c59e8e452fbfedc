import Bytes
package import Problems

/// Why a sample cannot be built as requested.
package enum SampleFailure: ReportableError, Equatable {
    /// The signature is larger than the space reserved at the end of the executable, in bytes.
    case signatureTooLarge(needed: Int, reserved: Int)
    /// The load commands do not fit into the first page; with their size in bytes.
    case headerTooLarge(Int)
    /// An entitlement has a value without a DER encoding.
    case entitlementNotEncodable(key: String)
    /// A change names a file that the bundle does not have.
    case noSuchFile(String)
    /// A saved authority lacks a part, or a part does not match the others.
    case incompleteAuthority(String)
    /// The output cannot be written.
    case cannotWrite(path: String, reason: String)

    package var description: String {
        switch self {
        case .signatureTooLarge(let needed, let reserved):
            "the signature takes \(needed.grouped) bytes, but only \(reserved) are reserved"
        case .headerTooLarge(let size):
            "the load commands take \(size.grouped) bytes, more than a page"
        case .entitlementNotEncodable(let key): "the entitlement \(key) has no DER form"
        case .noSuchFile(let path): "there is no \(path) in the sample"
        case .incompleteAuthority(let part): "the saved authority lacks \(part)"
        case .cannotWrite(let path, let reason): "cannot write \(path): \(reason)"
        }
    }

    /// The file, or the part of the sample.
    package var place: String {
        switch self {
        case .signatureTooLarge, .headerTooLarge: "the executable"
        case .entitlementNotEncodable(let key): key
        case .noSuchFile(let path), .cannotWrite(let path, _): path
        case .incompleteAuthority: ""
        }
    }

    /// How the user can fix it.
    package var fix: String {
        switch self {
        case .signatureTooLarge, .headerTooLarge: "ask for a smaller sample"
        case .entitlementNotEncodable: "use strings, integers, booleans, arrays and dictionaries"
        case .noSuchFile: "name a file that the sample has"
        case .incompleteAuthority:
            "give the file that --save-keys wrote: it ends in -authority-keys.pem"
        case .cannotWrite: "check the path, its permissions and the free space"
        }
    }
}

extension SampleFailure {
    package var id: String { "sample.failed" }

    package var kind: Problem.Kind {
        switch self {
        case .signatureTooLarge, .headerTooLarge: .tooLarge
        case .entitlementNotEncodable, .incompleteAuthority: .invalid
        case .noSuchFile: .notFound
        case .cannotWrite: .unavailable
        }
    }
}
