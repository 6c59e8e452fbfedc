package import Problems

/// What makes a signature one that no device accepts: the rule, where, and the facts.
package struct SignatureFault: ReportableError, Hashable, Sendable {
    package let rule: Rule
    /// In bytes from the start of the signature.
    package let offset: Int
    /// One lower-case clause; safe to print.
    package let detail: String
    /// Whether the kernel refuses to load such a file, whatever else is right about it.
    ///
    /// It does not look at every slot, so the same rule may be its own in one and not in another.
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
    /// The checks of xnu's `cs_validate_csblob` and `cs_validate_codedirectory`, and a few more
    /// that give every byte one meaning.
    package enum Rule: String, CaseIterable, Hashable, Sendable {
        /// The first bytes are not those of a signature.
        case notASignature = "not-a-signature"
        /// A structure ends before its fields do.
        case truncated
        /// The signature claims more bytes than LC_CODE_SIGNATURE gives it.
        case lengthBeyondEnd = "length-beyond-end"
        /// The index does not fit into the signature.
        case indexBeyondEnd = "index-beyond-end"
        /// The index has more entries than any real one.
        case tooManyBlobs = "too-many-blobs"
        /// A blob begins or ends outside the signature.
        case blobOutside = "blob-outside"
        /// Two blobs, or a blob and the index, share bytes.
        case overlap
        /// A blob is not of the kind that its slot asks for.
        case wrongMagic = "wrong-magic"
        /// Two blobs are for the same slot.
        case duplicateSlot = "duplicate-slot"
        /// Two CodeDirectories use the same digest.
        case duplicateHashType = "duplicate-hash-type"
        /// No CodeDirectory at all, or none in slot 0.
        case noCodeDirectory = "no-code-directory"
        /// Something other than zeroes follows the signature.
        case trailingBytes = "trailing-bytes"
        /// A version before the first or after all that Apple reserved.
        case unsupportedVersion = "unsupported-version"
        /// A digest that the kernel does not know.
        case unknownHashType = "unknown-hash-type"
        /// The size of a digest is not that of its type.
        case wrongHashSize = "wrong-hash-size"
        /// Pages of neither 4 KiB nor 16 KiB.
        case unsupportedPageSize = "unsupported-page-size"
        /// The digests of special slots or pages lie outside the CodeDirectory.
        case digestsOutside = "digests-outside"
        /// As many page digests as the code has pages are expected.
        case wrongPageCount = "wrong-page-count"
        /// The identifier is outside or has no end.
        case identifierUnterminated = "identifier-unterminated"
        /// The team is outside or has no end.
        case teamUnterminated = "team-unterminated"
        /// The list of scattered ranges has no end.
        case scatterOutside = "scatter-outside"
        /// The list of scattered ranges leaves pages without digest, or moves their digests.
        case scatterIncomplete = "scatter-incomplete"
        /// The digests of pages before encryption lie outside.
        case preEncryptOutside = "pre-encrypt-outside"
        /// The linkage digest is outside.
        case linkageOutside = "linkage-outside"

        /// Whether the kernel has this rule.
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
