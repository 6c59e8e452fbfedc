/// An embedded signature: an index, and blobs that it names (xnu `CS_SuperBlob`).
package struct CodeSignature: Sendable {
    package struct Blob: Hashable, Sendable {
        package let slot: BlobSlot
        package let magic: UInt32
        /// Magic, length and content, in bytes of the signature.
        package let range: Range<Int>
    }

    /// The content of LC_CODE_SIGNATURE, padding included.
    package let bytes: [UInt8]
    /// In the order of the index, without those that lie outside.
    package let blobs: [Blob]
    /// Slot 0 first if it is there, then the alternates, without those that cannot be read and
    /// without second ones for a slot.
    package let directories: [CodeDirectory]
    /// Everything that is wrong, in the order in which it was met; empty for what the kernel loads.
    package let faults: [SignatureFault]

    /// The CodeDirectory in slot 0, over which the message was signed.
    package var primary: CodeDirectory? {
        directories.first { $0.slot == .codeDirectory }
    }

    /// The CodeDirectory that the kernel goes by.
    package var best: CodeDirectory? {
        directories.max { $0.hashType.rank < $1.hashType.rank }
    }

    /// A blob with its magic and length, which is what special slots hold the digest of.
    package func blob(in slot: BlobSlot) -> ArraySlice<UInt8>? {
        blobs.first { $0.slot == slot }.map { bytes[$0.range] }
    }

    /// A blob without its magic and length.
    package func content(of slot: BlobSlot) -> ArraySlice<UInt8>? {
        blob(in: slot).map { $0.dropFirst(Self.blobHeaderSize) }
    }

    /// The XML property list of entitlements.
    package var entitlements: ArraySlice<UInt8>? { content(of: .entitlements) }

    package var derEntitlements: ArraySlice<UInt8>? { content(of: .derEntitlements) }

    /// The signed message; empty for an ad hoc signature.
    package var message: ArraySlice<UInt8>? { content(of: .message) }

    /// Magic and length.
    static let blobHeaderSize = 8
    /// Magic, length and count.
    static let indexOffset = 12
    static let magic: UInt32 = 0xfade_0cc0
    /// Real signatures have up to twelve.
    static let greatestBlobCount = 100
}
