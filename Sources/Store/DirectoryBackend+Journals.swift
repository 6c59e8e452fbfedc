#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A journal is a file of lines that only grows; an acknowledged line is on the medium in full.
extension DirectoryBackend {
    package func append(_ line: [UInt8], to journal: DocumentName) throws(StoreFailure) {
        let path = path(of: journal)
        try lock.withLock { () throws(StoreFailure) in
            try systemCall { () throws(SystemFailure) in
                try prepare(Folder.parent(of: path))
                let isNew = try Folder.status(path) == nil
                let file = try OpenFile.open(path, O_RDWR | O_CREAT | O_APPEND, mode: 0o600)
                let end = try Self.endOfLines(in: file)
                if Int(try file.status().st_size) > end { try file.truncate(to: end) }
                do throws(SystemFailure) {
                    try file.write(line + [UInt8(ascii: "\n")])
                    try file.sync()
                } catch {
                    try? file.truncate(to: end)
                    throw error
                }
                if isNew { try Folder.sync(Folder.parent(of: path)) }
            }
        }
    }

    package func lines(of journal: DocumentName) throws(StoreFailure) -> [[UInt8]] {
        do throws(SystemFailure) {
            let file = try OpenFile.open(path(of: journal), O_RDONLY, action: "read")
            let bytes = try file.bytes(at: 0, count: Self.endOfLines(in: file))
            return bytes.split(separator: UInt8(ascii: "\n")).map(Array.init)
        } catch {
            if error.cause == .missing { return [] }
            throw .system(error)
        }
    }

    /// The offset behind the last line feed.
    ///
    /// What follows it was never acknowledged.
    private static func endOfLines(in file: borrowing OpenFile) throws(SystemFailure) -> Int {
        var end = Int(try file.status().st_size)
        while end > 0 {
            let start = max(0, end - 4096)
            let piece = try file.bytes(at: start, count: end - start)
            if let last = piece.lastIndex(of: UInt8(ascii: "\n")) { return start + last + 1 }
            end = start
        }
        return 0
    }
}
