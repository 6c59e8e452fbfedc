package import Bytes
package import MachOFormat

/// A Mach-O file of an app, and what holds of each of its slices.
package struct ExecutableEvidence: Sendable {
    package enum Content: Sendable {
        case slices([SliceEvidence])
        /// Not a Mach-O file, or a damaged one.
        case malformed(MalformedBytes)
        /// All executables together hold more than is kept of an app.
        case tooLarge
    }

    /// In the archive.
    package let path: RelativePath
    package let content: Content

    /// None for what cannot be read.
    package var slices: [SliceEvidence] {
        if case .slices(let slices) = content { slices } else { [] }
    }

    /// Whether there are slices and all their signatures hold.
    package var isIntact: Bool {
        !slices.isEmpty && slices.allSatisfy { $0.signature.evidence?.isIntact ?? false }
    }
}

/// One slice of a Mach-O file.
package struct SliceEvidence: Sendable {
    package enum Signature: Sendable {
        case absent
        case unreadable(SignatureFault)
        case read(CodeSignatureEvidence)

        package var evidence: CodeSignatureEvidence? {
            if case .read(let evidence) = self { evidence } else { nil }
        }
    }

    /// In bytes of the file.
    package let range: Range<Int>
    package let processor: Processor
    package let fileType: MachHeader.FileType
    package let buildVersions: [BuildVersion]
    package let encryption: EncryptionInfo?
    package let libraries: [LinkedLibrary]
    package let runPaths: [String]
    /// Where the signature is, in bytes of the file.
    package let signatureRange: Range<Int>?
    /// Bytes behind the signature, which nothing covers.
    package let bytesAfterSignature: Int
    package let signature: Signature

    init(_ slice: BinarySlice, _ signature: Signature) {
        range = slice.range
        processor = slice.processor
        fileType = slice.header.fileType
        buildVersions = slice.buildVersions
        encryption = slice.encryption
        libraries = slice.libraries
        runPaths = slice.runPaths
        signatureRange = slice.signatureRange
        bytesAfterSignature = slice.bytesAfterSignature
        self.signature = signature
    }
}
