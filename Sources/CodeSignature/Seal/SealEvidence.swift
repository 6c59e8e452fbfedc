package import Bytes

/// How the files of a bundle compare with its seal.
package struct SealEvidence: Sendable {
    package enum State: Equatable, Sendable {
        /// No `_CodeSignature/CodeResources`.
        case absent
        case malformed(MalformedSeal)
        /// Compared; the version is 1 or 2.
        case compared(version: Int, files: Int)
    }

    package let state: State
    /// By path.
    package let damages: [SealDamage]
    /// Patterns of the seal that are no regular expressions, with the reason.
    package let malformedRules: [String: MalformedPattern]

    /// Whether there is a seal and every file is as it says.
    package var isIntact: Bool {
        if case .compared = state { damages.isEmpty } else { false }
    }
}

/// One file that is not as its seal says.
package struct SealDamage: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// The contents are others than were sealed.
        case modified
        case missing
        /// Not sealed, in a place where everything is.
        case added
        /// The link points elsewhere.
        case linkMoved(sealed: RelativePath, found: RelativePath)
        /// A link was sealed, and something else is there.
        case linkReplaced(sealed: RelativePath)
        /// A file was sealed, and a link is there.
        case linkInPlaceOfFile
        /// Code that was sealed as such is signed differently.
        case codeReplaced
        /// The seal names the file and nothing that could be compared.
        case unreadableEntry
        /// The rules ask for too much work to say whether the file may be there.
        case undecided
    }

    /// In the archive.
    package let path: RelativePath
    package let kind: Kind
}
