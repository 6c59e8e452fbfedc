package import Bytes
package import MachOFormat

/// A Mach-O file of an app, with the evidence on each of its slices.
package struct ExecutableEvidence: Sendable {
    package enum Content: Sendable {
        case slices([SliceEvidence])
        /// Not a valid Mach-O file.
        case malformed(MalformedBytes)
        /// All executables of the app together exceed the memory limit.
        case tooLarge
    }

    /// The path in the archive.
    package let path: RelativePath
    package let content: Content

    /// Empty for an unreadable file.
    package var slices: [SliceEvidence] {
        if case .slices(let slices) = content { slices } else { [] }
    }

    /// Whether there are slices and all their signatures are valid.
    package var isIntact: Bool {
        !slices.isEmpty && slices.allSatisfy { $0.signature.evidence?.isIntact ?? false }
    }
}

/// The evidence on one slice of a Mach-O file.
package struct SliceEvidence: Sendable {
    package enum Signature: Sendable {
        case absent
        case unreadable(SignatureFault)
        case read(CodeSignatureEvidence)

        package var evidence: CodeSignatureEvidence? {
            if case .read(let evidence) = self { evidence } else { nil }
        }
    }

    /// The range in the file.
    package let range: Range<Int>
    package let processor: Processor
    package let fileType: MachHeader.FileType
    package let buildVersions: [BuildVersion]
    package let encryption: EncryptionInfo?
    package let libraries: [LinkedLibrary]
    package let runPaths: [String]
    /// The range of the signature in the file.
    package let signatureRange: Range<Int>?
    /// The number of bytes after the signature, which it does not cover.
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
