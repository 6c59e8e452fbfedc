package import Problems

/// Why devices do not accept a signature: the rule, the place and the details.
package struct SignatureFault: ReportableError, Hashable, Sendable {
    package let rule: Rule
    /// The offset in the signature in bytes.
    package let offset: Int
    /// One lower-case clause; safe to print.
    package let detail: String
    /// Whether the kernel refuses to load such a file because of this fault.
    ///
    /// The kernel does not check every slot, so the same rule may be one of its own in one slot and not
    /// in another.
    package let isRefusedByKernel: Bool

    package init(
        _ rule: Rule,
        at offset: Int,
        _ detail: String,
        isRefusedByKernel: Bool? = nil,
    ) {
        self.rule = rule
        self.offset = offset
        self.detail = detail
        self.isRefusedByKernel = isRefusedByKernel ?? rule.isOfKernel
    }

    package var description: String { "\(detail) at offset \(offset) of the signature" }
}

extension SignatureFault {
    package var id: String { "signature.malformed" }
    package var kind: Problem.Kind { .invalid }
    package var fix: String { "sign the app again" }
}

extension SignatureFault {
    /// The checks of xnu's `cs_validate_csblob` and `cs_validate_codedirectory`, and a few more that make
    /// every byte unambiguous.
    package enum Rule: String, CaseIterable, Hashable, Sendable {
        /// The magic is not that of a signature.
        case notASignature = "not-a-signature"
        /// A structure ends before its fields do.
        case truncated
        /// The signature's length exceeds that of LC_CODE_SIGNATURE.
        case lengthBeyondEnd = "length-beyond-end"
        /// The index is larger than the signature.
        case indexBeyondEnd = "index-beyond-end"
        /// The index has more entries than any real one.
        case tooManyBlobs = "too-many-blobs"
        /// A blob begins or ends outside the signature.
        case blobOutside = "blob-outside"
        /// Two blobs, or a blob and the index, share bytes.
        case overlap
        /// A blob does not have the magic that its slot requires.
        case wrongMagic = "wrong-magic"
        /// Two blobs are for the same slot.
        case duplicateSlot = "duplicate-slot"
        /// Two CodeDirectories use the same hash algorithm.
        case duplicateHashType = "duplicate-hash-type"
        /// No CodeDirectory at all, or none in slot 0.
        case noCodeDirectory = "no-code-directory"
        /// Something other than zeroes follows the signature.
        case trailingBytes = "trailing-bytes"
        /// A version outside the range that Apple reserved.
        case unsupportedVersion = "unsupported-version"
        /// A hash type that the kernel does not know.
        case unknownHashType = "unknown-hash-type"
        /// The digest size does not match the hash type.
        case wrongHashSize = "wrong-hash-size"
        /// A page size other than 4 KiB and 16 KiB.
        case unsupportedPageSize = "unsupported-page-size"
        /// The digests of special slots or pages are outside the CodeDirectory.
        case digestsOutside = "digests-outside"
        /// The number of page digests differs from the number of pages.
        case wrongPageCount = "wrong-page-count"
        /// The identifier is outside the CodeDirectory or not terminated.
        case identifierUnterminated = "identifier-unterminated"
        /// The team is outside the CodeDirectory or not terminated.
        case teamUnterminated = "team-unterminated"
        /// The scatter list is not terminated.
        case scatterOutside = "scatter-outside"
        /// The scatter list leaves pages without a digest, or moves their digests.
        case scatterIncomplete = "scatter-incomplete"
        /// The digests of pages before encryption are outside the CodeDirectory.
        case preEncryptOutside = "pre-encrypt-outside"
        /// The linkage digest is outside the CodeDirectory.
        case linkageOutside = "linkage-outside"

        /// Whether the kernel applies this rule.
        package var isOfKernel: Bool {
            switch self {
            case .tooManyBlobs, .overlap, .trailingBytes, .unsupportedVersion, .wrongPageCount,
                .preEncryptOutside:
                false
            case .notASignature, .truncated, .lengthBeyondEnd, .indexBeyondEnd, .blobOutside,
                .wrongMagic, .duplicateSlot, .duplicateHashType, .noCodeDirectory,
                .unknownHashType, .wrongHashSize, .unsupportedPageSize, .digestsOutside,
                .identifierUnterminated, .teamUnterminated, .scatterOutside, .scatterIncomplete,
                .linkageOutside:
                true
            }
        }
    }
}
