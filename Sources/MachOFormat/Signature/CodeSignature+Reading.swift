import Bytes

extension CodeSignature {
    /// Reads the index and every CodeDirectory.
    ///
    /// - Throws: ``SignatureFault`` when there is no usable index; other problems are in ``faults``.
    package init(reading bytes: [UInt8]) throws(SignatureFault) {
        var reader = SignatureReader(bytes)
        try reader.readIndex()
        reader.checkPlaces()
        reader.readDirectories()
        self.init(
            bytes: bytes,
            blobs: reader.blobs,
            directories: reader.directories,
            faults: reader.faults,
        )
    }
}

/// The state of reading one signature, with the faults found so far.
private struct SignatureReader {
    private let bytes: [UInt8]
    /// The length that the signature states, in bytes.
    private var length = 0
    /// The end of the index.
    private var indexEnd = 0
    private(set) var blobs: [CodeSignature.Blob] = []
    private(set) var directories: [CodeDirectory] = []
    private(set) var faults: [SignatureFault] = []

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func readIndex() throws(SignatureFault) {
        let header = try blobHeader(at: 0, end: bytes.count, .lengthBeyondEnd)
        length = header.length
        guard header.magic == CodeSignature.magic else {
            // The kernel accepts a bare CodeDirectory as a signature without other blobs.
            guard header.magic == BlobSlot.codeDirectory.magic else {
                throw SignatureFault(
                    .notASignature,
                    at: 0,
                    "0x\(String(header.magic, radix: 16)) is not the magic of a signature",
                )
            }
            blobs = [.init(slot: .codeDirectory, magic: header.magic, range: 0..<length)]
            return
        }
        guard length >= CodeSignature.indexOffset else {
            throw SignatureFault(
                .truncated,
                at: 4,
                "a signature of \(length.grouped) bytes has no index",
            )
        }
        let count = word(at: 8)
        guard count <= CodeSignature.greatestBlobCount else {
            throw SignatureFault(
                .tooManyBlobs,
                at: 8,
                "an index of \(count.grouped) blobs is refused",
            )
        }
        guard count <= (length - CodeSignature.indexOffset) / 8 else {
            throw SignatureFault(
                .indexBeyondEnd,
                at: 8,
                "an index of \(count.grouped) blobs does not fit into \(length.grouped) bytes",
            )
        }
        indexEnd = CodeSignature.indexOffset + count * 8
        for entry in stride(from: CodeSignature.indexOffset, to: indexEnd, by: 8) {
            let slot = BlobSlot(UInt32(truncatingIfNeeded: word(at: entry)))
            do throws(SignatureFault) {
                let start = word(at: entry + 4)
                let header = try blobHeader(at: start, end: length, .blobOutside)
                let range = start..<start + header.length
                blobs.append(.init(slot: slot, magic: header.magic, range: range))
            } catch {
                faults.append(
                    SignatureFault(error.rule, at: entry, "\(slot): \(error.detail)")
                )
            }
        }
    }

    mutating func checkPlaces() {
        var seen: Set<BlobSlot> = []
        for blob in blobs {
            if !seen.insert(blob.slot).inserted {
                note(.duplicateSlot, blob, "appears twice")
            }
            if let magic = blob.slot.magic, blob.magic != magic {
                note(.wrongMagic, blob, "has the magic 0x\(String(blob.magic, radix: 16))")
            }
        }
        var end = indexEnd
        for blob in blobs.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            if blob.range.lowerBound < end {
                note(.overlap, blob, "shares bytes with what is before it")
            }
            end = max(end, blob.range.upperBound)
        }
        if let stray = bytes[length...].firstIndex(where: { $0 != 0 }) {
            faults.append(
                SignatureFault(.trailingBytes, at: stray, "something follows the last blob")
            )
        }
    }

    mutating func readDirectories() {
        var slots: Set<BlobSlot> = []
        var hashTypes: Set<HashType> = []
        for blob in blobs where blob.slot.isCodeDirectory {
            guard blob.magic == blob.slot.magic, slots.insert(blob.slot).inserted else { continue }
            do throws(MalformedBytes) {
                let directory = try CodeDirectory(
                    reading: bytes[blob.range],
                    slot: blob.slot,
                    at: blob.range.lowerBound,
                )
                faults += directory.faults
                if !hashTypes.insert(directory.hashType).inserted {
                    note(.duplicateHashType, blob, "is a second one of \(directory.hashType)")
                }
                directories.append(directory)
            } catch {
                faults.append(
                    SignatureFault(
                        .truncated,
                        at: blob.range.lowerBound + error.offset,
                        "\(blob.slot): \(error.field) is missing",
                    )
                )
            }
        }
        directories.sort { $0.slot == .codeDirectory && $1.slot != .codeDirectory }
        if directories.first?.slot != .codeDirectory {
            faults.append(
                SignatureFault(
                    .noCodeDirectory,
                    at: 0,
                    "no CodeDirectory in slot 0",
                    isRefusedByKernel: directories.isEmpty,
                )
            )
        }
    }

    private mutating func note(
        _ rule: SignatureFault.Rule,
        _ blob: CodeSignature.Blob,
        _ what: String,
    ) {
        faults.append(
            SignatureFault(
                rule,
                at: blob.range.lowerBound,
                "\(blob.slot) \(what)",
                isRefusedByKernel: rule.isOfKernel && blob.slot.isSeenByKernel,
            )
        )
    }

    /// Reads the magic and length of a blob that must end at or before `end`.
    private func blobHeader(
        at start: Int,
        end: Int,
        _ rule: SignatureFault.Rule,
    ) throws(SignatureFault) -> (magic: UInt32, length: Int) {
        guard start <= end, end - start >= CodeSignature.blobHeaderSize else {
            throw SignatureFault(rule, at: start, "no blob fits between \(start) and \(end)")
        }
        let length = word(at: start + 4)
        guard length >= CodeSignature.blobHeaderSize, length <= end - start else {
            throw SignatureFault(
                rule,
                at: start + 4,
                "a length of \(length) does not fit into \((end - start).grouped) bytes",
            )
        }
        return (UInt32(truncatingIfNeeded: word(at: start)), length)
    }

    /// Reads a big-endian number at an offset that was checked.
    private func word(at offset: Int) -> Int {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }
}
