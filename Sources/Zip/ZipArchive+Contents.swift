import Bytes

extension ZipArchive {
    /// Reads the whole contents of a small entry, and checks its size and CRC-32.
    ///
    /// - Throws: ``ZipRefusal``; ``ZipRule/tooLarge`` before reading when there are more than `limit`
    ///   bytes.
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

    /// Reads an entry in windows, and checks its size and CRC-32 at the end.
    ///
    /// If it throws, data already passed to `body` must not be used.
    ///
    /// - Parameters:
    ///   - entry: one of ``entries``.
    ///   - window: the size of a window in bytes; all but the last are full.
    ///   - body: receives each window, which is valid only during the call.
    /// - Throws: ``ZipRefusal``, or errors of `body`.
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
