import Bytes

extension ZipArchive {
    /// The whole contents of a small entry, with size and checksum proven.
    ///
    /// - Throws: ``ZipRule/tooLarge`` when there are more than `limit` bytes, before any is read.
    package func contents(of entry: ZipEntry, atMost limit: Int) throws(ZipRefusal) -> [UInt8] {
        guard entry.size <= limit else {
            throw ZipRefusal(
                .tooLarge,
                at: entry,
                "has \(entry.size.grouped) bytes, more than the \(limit.grouped) allowed",
            )
        }
        var contents: [UInt8] = []
        let window = min(max(entry.size + 1, 4096), 256 << 10)
        try withInflater(window: window) { (inflater) throws(ZipRefusal) in
            try unsafe inflater.read(entry, from: source) { chunk in
                unsafe contents.append(contentsOf: chunk)
                return true
            }
        }
        return contents
    }

    /// Reads an entry in windows, with size and checksum proven at the end.
    ///
    /// What `body` was given before an error is thrown must not be used.
    ///
    /// - Parameters:
    ///   - entry: one of ``entries``.
    ///   - window: bytes of one window; all but the last are full.
    ///   - body: takes each window, whose bytes are gone when it returns.
    /// - Throws: ``ZipRefusal``, or what `body` throws.
    package func read(
        _ entry: ZipEntry,
        window: Int = 256 << 10,
        _ body: (UnsafeRawBufferPointer) throws -> Void,
    ) throws {
        var failure: (any Error)?
        try withInflater(window: max(window, 4096)) { (inflater) throws(ZipRefusal) in
            try unsafe inflater.read(entry, from: source) { chunk in
                do {
                    try unsafe body(chunk)
                    return true
                } catch {
                    failure = error
                    return false
                }
            }
        }
        if let failure { throw failure }
    }
}
