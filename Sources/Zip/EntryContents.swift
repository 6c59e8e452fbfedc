import Bytes

/// The state of reading an entry's contents.
struct EntryContents {
    let entry: ZipEntry
    /// The number of compressed bytes read so far.
    private(set) var consumed = 0
    private var produced = 0
    private var checksum: UInt32 = 0

    init(_ entry: ZipEntry) {
        self.entry = entry
    }

    /// Whether all compressed bytes were read from the source.
    var isRead: Bool { consumed == entry.compressedSize }

    /// The number of bytes still missing, according to the directory.
    var missing: Int { entry.size - produced }

    func refusal(_ rule: ZipRule, _ detail: String) -> ZipRefusal {
        ZipRefusal(rule, at: entry, detail)
    }

    /// Reads as many of the remaining compressed bytes as fit into `buffer`.
    mutating func fill(
        _ buffer: UnsafeMutableRawBufferPointer,
        from source: any ByteSource,
    ) throws(ZipRefusal) -> Int {
        let wanted = min(buffer.count, entry.compressedSize - consumed)
        guard wanted > 0 else { return 0 }
        do throws(SourceFailure) {
            let window = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])
            let count = try unsafe source.read(at: entry.dataOffset + consumed, into: window)
            guard count > 0 else {
                throw SourceFailure(offset: entry.dataOffset + consumed, reason: "ended early")
            }
            consumed += count
            return count
        } catch {
            throw ZipRefusal(error, at: PrintableText(escaping: entry.path).text)
        }
    }

    mutating func pass(
        _ buffer: UnsafeMutableRawBufferPointer,
        count: Int,
        to body: (UnsafeRawBufferPointer) -> Bool,
    ) throws(ZipRefusal) -> Bool {
        guard count <= missing else {
            throw refusal(
                .sizeMismatch,
                "has more than the \(entry.size.grouped) bytes it should have",
            )
        }
        guard count > 0 else { return true }
        let window = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count])
        checksum = unsafe crc32(checksum, over: window)
        produced += count
        return unsafe body(window)
    }

    func prove() throws(ZipRefusal) {
        guard missing == 0 else {
            throw refusal(
                .sizeMismatch,
                "has \(produced.grouped) bytes, but should have \(entry.size.grouped)",
            )
        }
        guard checksum == entry.crc32 else {
            throw refusal(.checksum, "the contents do not match their CRC-32")
        }
    }
}
