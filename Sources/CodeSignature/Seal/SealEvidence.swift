package import Bytes

/// The result of comparing the files of a bundle with its seal.
package struct SealEvidence: Sendable {
    package enum State: Equatable, Sendable {
        /// There is no `_CodeSignature/CodeResources`.
        case absent
        case malformed(MalformedSeal)
        /// Compared; the version is 1 or 2.
        case compared(version: Int, files: Int)
    }

    package let state: State
    /// Sorted by path.
    package let damages: [SealDamage]
    /// Patterns of the seal that are not valid regular expressions, with the reason.
    package let malformedRules: [String: MalformedPattern]

    /// Whether there is a seal and every file matches it.
    package var isIntact: Bool {
        if case .compared = state { damages.isEmpty } else { false }
    }
}

/// A file that differs from its seal.
package struct SealDamage: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// The contents differ from the sealed ones.
        case modified
        case missing
        /// Not sealed, in a place where every file must be.
        case added
        /// The link has another target.
        case linkMoved(sealed: RelativePath, found: RelativePath)
        /// A link was sealed, but the entry is not a link.
        case linkReplaced(sealed: RelativePath)
        /// A file was sealed, but the entry is a link.
        case linkInPlaceOfFile
        /// Code that was sealed as nested code has another signature.
        case codeReplaced
        /// The seal names the file without anything to compare.
        case unreadableEntry
        /// The patterns take too much work to decide whether the file is allowed.
        case undecided
    }

    /// The path in the archive.
    package let path: RelativePath
    package let kind: Kind
}
