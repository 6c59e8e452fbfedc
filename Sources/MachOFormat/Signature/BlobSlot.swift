/// The purpose of a blob in a signature: its type in the index (xnu `cs_blobs.h`).
package enum BlobSlot: Hashable, Sendable {
    case codeDirectory
    case requirements
    case entitlements
    case derEntitlements
    case launchConstraintSelf, launchConstraintParent, launchConstraintResponsible
    case libraryConstraint
    /// One of five alternate CodeDirectories, 0 to 4, with other hash algorithms.
    case alternateCodeDirectory(Int)
    /// The CMS message over the primary CodeDirectory.
    case message
    case unknown(UInt32)

    package init(_ number: UInt32) {
        self =
            switch number {
            case 0: .codeDirectory
            case 2: .requirements
            case 5: .entitlements
            case 7: .derEntitlements
            case 8: .launchConstraintSelf
            case 9: .launchConstraintParent
            case 10: .launchConstraintResponsible
            case 11: .libraryConstraint
            case 0x1000...0x1004: .alternateCodeDirectory(Int(number - 0x1000))
            case 0x10000: .message
            default: .unknown(number)
            }
    }

    package var isCodeDirectory: Bool {
        switch self {
        case .codeDirectory, .alternateCodeDirectory: true
        default: false
        }
    }

    /// Whether `cs_validate_csblob` checks the slot; it ignores all others.
    package var isSeenByKernel: Bool {
        isCodeDirectory || self == .entitlements || self == .derEntitlements
    }

    /// The magic of a blob in this slot; nil when any is allowed.
    package var magic: UInt32? {
        switch self {
        case .codeDirectory, .alternateCodeDirectory: 0xfade_0c02
        case .requirements: 0xfade_0c01
        case .entitlements: 0xfade_7171
        case .derEntitlements: 0xfade_7172
        case .launchConstraintSelf, .launchConstraintParent, .launchConstraintResponsible,
            .libraryConstraint:
            0xfade_8181
        case .message: 0xfade_0b01
        case .unknown: nil
        }
    }
}

extension BlobSlot: CustomStringConvertible {
    package var description: String {
        switch self {
        case .codeDirectory: "CodeDirectory"
        case .requirements: "requirements"
        case .entitlements: "entitlements"
        case .derEntitlements: "DER entitlements"
        case .launchConstraintSelf: "launch constraint"
        case .launchConstraintParent: "launch constraint on the parent"
        case .launchConstraintResponsible: "launch constraint on the responsible process"
        case .libraryConstraint: "library constraint"
        case .alternateCodeDirectory(let index): "alternate CodeDirectory \(index)"
        case .message: "signed message"
        case .unknown(let number): "slot 0x" + String(number, radix: 16)
        }
    }
}
