/// The contents at the offsets in a CodeDirectory; nil or empty for offsets outside it.
extension CodeDirectory {
    /// Usually the bundle identifier.
    package var identifier: String? {
        identifierOffset == 0 ? nil : text(at: identifierOffset)
    }

    package var team: String? { teamOffset.flatMap(text) }

    /// The size of a page in bytes; nil when a single page covers everything, or for an absurd value.
    package var pageSize: Int? {
        (1...30).contains(pageSizeLog2) ? 1 << Int(pageSizeLog2) : nil
    }

    /// The number of pages of the code; nil where ``pageSize`` is.
    ///
    /// The count for 2^64 bytes in pages of two does not fit and is clamped to `Int.max`.
    package var expectedPageCount: Int? {
        pageSize.map { size in
            let (count, rest) = codeLimit.quotientAndRemainder(dividingBy: UInt64(size))
            let (sum, overflow) = Int(clamping: count).addingReportingOverflow(rest == 0 ? 0 : 1)
            return overflow ? .max : sum
        }
    }

    /// The digest of a page; nil when it is missing.
    package func digest(ofPage page: Int) -> ArraySlice<UInt8>? {
        guard page >= 0, page < pageCount, hashOffset <= bytes.count,
            hashSize > 0, page < (bytes.count - hashOffset) / hashSize
        else { return nil }
        return part(at: hashOffset + page * hashSize, count: hashSize)
    }

    /// The digest in a special slot, 1 to ``specialSlotCount``; nil when it is missing.
    ///
    /// A slot that is all zeroes is empty.
    package func digest(ofSlot number: Int) -> ArraySlice<UInt8>? {
        guard number >= 1, number <= specialSlotCount, hashSize > 0,
            number <= hashOffset / hashSize,
            let digest = part(at: hashOffset - number * hashSize, count: hashSize),
            digest.contains(where: { $0 != 0 })
        else { return nil }
        return digest
    }

    /// The digest of a page before it was encrypted; nil when it is missing.
    package func preEncryptDigest(ofPage page: Int) -> ArraySlice<UInt8>? {
        guard let preEncryptOffset, page >= 0, page < pageCount, preEncryptOffset <= bytes.count,
            hashSize > 0, page < (bytes.count - preEncryptOffset) / hashSize
        else { return nil }
        return part(at: preEncryptOffset + page * hashSize, count: hashSize)
    }

    package var linkageDigest: ArraySlice<UInt8>? {
        linkage.flatMap { part(at: $0.offset, count: $0.size) }
    }

    /// A range of pages that is not in digest order (`SC_Scatter`).
    package struct ScatteredRange: Hashable, Sendable {
        package let pageCount: UInt32
        package let firstPage: UInt32
        /// The offset in the slice in bytes.
        package let target: UInt64
    }

    private static let greatestScatterCount = 10_000

    /// The ranges up to the entry with a page count of zero; nil when the list is not terminated, or its
    /// end is outside.
    package var scatteredRanges: [ScatteredRange]? {
        guard var place = scatterOffset else { return [] }
        var ranges: [ScatteredRange] = []
        while let entry = part(at: place, count: 24) {
            let pageCount = entry.bigEndian(UInt32.self, at: 0)
            guard pageCount != 0 else { return ranges }
            guard ranges.count < Self.greatestScatterCount else { return nil }
            ranges.append(
                ScatteredRange(
                    pageCount: pageCount,
                    firstPage: entry.bigEndian(UInt32.self, at: 4),
                    target: entry.bigEndian(UInt64.self, at: 8),
                )
            )
            place += 24
        }
        return nil
    }

    /// Whether a scatter list covers every page in order, and so has no effect.
    func isCoveredInOrder(by ranges: [ScatteredRange]) -> Bool {
        var next: UInt64 = 0
        for range in ranges {
            guard UInt64(range.firstPage) == next else { return false }
            next += UInt64(range.pageCount)
        }
        return next >= UInt64(pageCount)
    }

    private func part(at offset: Int, count: Int) -> ArraySlice<UInt8>? {
        guard offset >= 0, count >= 0, offset <= bytes.count, count <= bytes.count - offset else {
            return nil
        }
        let start = bytes.startIndex + offset
        return bytes[start..<start + count]
    }

    /// Zero-terminated text inside the blob; nil for anything else.
    private func text(at offset: Int) -> String? {
        guard let rest = part(at: offset, count: max(0, bytes.count - offset)),
            let end = rest.firstIndex(of: 0)
        else { return nil }
        return String(decoding: rest[..<end], as: UTF8.self)
    }
}

extension ArraySlice<UInt8> {
    /// Reads a number at an offset that was checked.
    fileprivate func bigEndian<Value: FixedWidthInteger>(
        _ type: Value.Type,
        at offset: Int,
    ) -> Value {
        dropFirst(offset).prefix(MemoryLayout<Value>.size)
            .reduce(0) { $0 << 8 | Value(truncatingIfNeeded: $1) }
    }
}
