package import Bytes
package import Problems

/// Why a Mach-O file cannot be signed.
package enum ProgramFault: ReportableError, Equatable {
    /// Its header or load commands violate the format.
    case malformed(MalformedBytes)
    /// A file type that devices do not load, such as an object file.
    case notLoadable(slice: String)
    /// FairPlay has encrypted the slice, so its pages cannot be hashed in their decrypted form.
    case encrypted(slice: String)
    /// The slice has no `__LINKEDIT`, which contains the signature.
    case linkEditMissing(slice: String)
    /// `__LINKEDIT` is not last in the file or in memory, or overlaps another segment.
    case linkEditMisplaced(slice: String, reason: String)
    /// Data follows the signature, and would be lost with it.
    case signatureNotLast(slice: String)
    /// A universal file has data between or after its slices.
    case bytesBetweenSlices
    /// There is no room for LC_CODE_SIGNATURE between the load commands and the first section.
    case noRoomForCommand(slice: String, needed: Int, available: Int)
    /// The signed slice or file would exceed the limit of its format, in bytes.
    case tooLarge(limit: Int)
    /// The old signatures of all programs together exceed the limit, in bytes.
    case signaturesTooLarge(limit: Int)
    /// The bundle identifier is empty, or it or the team is too long or contains a zero byte.
    case identifierNotUsable
    /// An entitlement has a value without a DER encoding.
    case entitlementNotEncodable(key: String)
    /// The CMS message is larger than the reserved space, in bytes.
    case messageTooLarge(needed: Int, reserved: Int)
    /// The identity's key cannot sign.
    case cannotSign(reason: String)

    package var description: String {
        switch self {
        case .malformed(let bytes): "is not a Mach-O file that can be signed: \(bytes)"
        case .notLoadable(let slice):
            "has a slice for \(slice) that is neither a program nor a library"
        case .encrypted(let slice):
            "is encrypted for \(slice): this copy is from the App Store, and its code cannot be read"
        case .linkEditMissing(let slice):
            "has no segment __LINKEDIT for \(slice), where the signature goes"
        case .linkEditMisplaced(let slice, let reason):
            "has a segment __LINKEDIT for \(slice) that \(reason)"
        case .signatureNotLast(let slice):
            "has bytes after the signature for \(slice) that signing would cut off"
        case .bytesBetweenSlices:
            "has bytes outside its slices that signing would cut off"
        case .noRoomForCommand(let slice, let needed, let available):
            "has only \(available.grouped) bytes free after the load commands for \(slice), but "
                + "LC_CODE_SIGNATURE needs \(needed)"
        case .tooLarge(let limit):
            "would be larger than \(limit.grouped) bytes, the most that can be signed"
        case .identifierNotUsable:
            "cannot be signed with a bundle identifier or a team that is empty, very long or has a "
                + "zero byte in it"
        case .entitlementNotEncodable(let key):
            "cannot be signed with the entitlement \(quoted: key), whose value has no DER form"
        case .signaturesTooLarge(let limit):
            "has an old signature that, with those of other programs, takes more than "
                + "\(limit >> 20) MB"
        case .messageTooLarge(let needed, let reserved):
            "would need \(needed.grouped) bytes for the signed message, but only \(reserved) are reserved"
        case .cannotSign(let reason): "cannot be signed with this key: \(reason)"
        }
    }

    package var id: String {
        switch self {
        case .malformed: "signing.program-malformed"
        case .notLoadable: "signing.program-not-loadable"
        case .encrypted: "signing.program-encrypted"
        case .linkEditMissing: "signing.linkedit-missing"
        case .linkEditMisplaced: "signing.linkedit-misplaced"
        case .signatureNotLast: "signing.signature-not-last"
        case .bytesBetweenSlices: "signing.bytes-between-slices"
        case .noRoomForCommand: "signing.no-room-for-command"
        case .tooLarge: "signing.program-too-large"
        case .signaturesTooLarge: "signing.signatures-too-large"
        case .identifierNotUsable: "signing.identifier-not-usable"
        case .entitlementNotEncodable: "signing.entitlement-not-encodable"
        case .messageTooLarge: "signing.message-too-large"
        case .cannotSign: "signing.key-cannot-sign"
        }
    }

    package var kind: Problem.Kind {
        switch self {
        case .tooLarge, .signaturesTooLarge, .messageTooLarge: .tooLarge
        default: .invalid
        }
    }

    package var fix: String {
        switch self {
        case .malformed, .notLoadable, .linkEditMissing, .linkEditMisplaced, .signatureNotLast,
            .bytesBetweenSlices:
            "build the program again, and sign the build as Xcode leaves it"
        case .encrypted: "sign a build that did not come from the App Store"
        case .noRoomForCommand:
            "link the program with more room, such as -Wl,-headerpad,0x1000 in OTHER_LDFLAGS"
        case .tooLarge: "make the program smaller"
        case .signaturesTooLarge: "sign a build that was not signed before"
        case .identifierNotUsable: "correct CFBundleIdentifier, and build again"
        case .entitlementNotEncodable:
            "use strings, whole numbers, booleans, arrays and dictionaries in entitlements"
        case .messageTooLarge: "remove certificates that are not needed from the identity"
        case .cannotSign: "export the identity again with its own private key"
        }
    }
}
