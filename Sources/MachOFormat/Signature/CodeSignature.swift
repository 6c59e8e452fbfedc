/// An embedded signature: an index and its blobs (xnu `CS_SuperBlob`).
package struct CodeSignature: Sendable {
    package struct Blob: Hashable, Sendable {
        package let slot: BlobSlot
        package let magic: UInt32
        /// The range of magic, length and content in the signature.
        package let range: Range<Int>
    }

    /// The content of LC_CODE_SIGNATURE, including padding.
    package let bytes: [UInt8]
    /// In the order of the index, without blobs outside the signature.
    package let blobs: [Blob]
    /// Slot 0 first if present, then the alternates; without unreadable ones and duplicates of a slot.
    package let directories: [CodeDirectory]
    /// All faults in the order in which they were found; empty when the kernel loads the signature.
    package let faults: [SignatureFault]

    /// The CodeDirectory in slot 0, which the CMS message signs.
    package var primary: CodeDirectory? {
        directories.first { $0.slot == .codeDirectory }
    }

    /// The CodeDirectory that the kernel uses.
    package var best: CodeDirectory? {
        directories.max { $0.hashType.rank < $1.hashType.rank }
    }

    /// A blob with its magic and length, over which special slots have the digest.
    package func blob(in slot: BlobSlot) -> ArraySlice<UInt8>? {
        blobs.first { $0.slot == slot }.map { bytes[$0.range] }
    }

    /// A blob without its magic and length.
    package func content(of slot: BlobSlot) -> ArraySlice<UInt8>? {
        blob(in: slot).map { $0.dropFirst(Self.blobHeaderSize) }
    }

    /// The entitlements as an XML property list.
    package var entitlements: ArraySlice<UInt8>? { content(of: .entitlements) }

    package var derEntitlements: ArraySlice<UInt8>? { content(of: .derEntitlements) }

    /// The CMS message; empty for an ad hoc signature.
    package var message: ArraySlice<UInt8>? { content(of: .message) }

    /// The size of magic and length in bytes.
    static let blobHeaderSize = 8
    /// The size of magic, length and count in bytes.
    static let indexOffset = 12
    static let magic: UInt32 = 0xfade_0cc0
    /// The maximum number of blobs; real signatures have up to twelve.
    static let greatestBlobCount = 100
}
