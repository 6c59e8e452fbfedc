import Foundation
package import Mirrors
import Releases
package import Store

/// Reads the log of a build, while it grows and after the build has ended.
package struct LogReader: Sendable {
    private let run: MirrorRun
    private let store: OTAStore
    private let folders: MirrorFolders

    /// `run` is the build's current record; for a running build, a later record shows when it has ended.
    package init(of run: MirrorRun, in store: OTAStore, _ folders: MirrorFolders) {
        self.run = run
        self.store = store
        self.folders = folders
    }

    package struct Tail: Sendable {
        package let bytes: [UInt8]
        /// Whether the log has more before these bytes.
        package let isCut: Bool
    }

    /// Returns the log from an offset on, at most 1 MiB (1,048,576 bytes); while the build runs, whole
    /// lines only.
    package func read(from offset: Int) throws -> LogPiece {
        if run.log != nil {
            let bytes = try all()
            let rest = bytes.dropFirst(offset).prefix(1 << 20)
            return LogPiece(bytes: Array(rest), isOver: offset + rest.count >= bytes.count)
        }
        let limit = 1 << 20
        let bytes = growing(from: UInt64(offset), count: limit)
        // A longer line is returned in parts: a progress bar may never end its line.
        let rest = bytes.count < limit ? [] : bytes[...]
        let whole = bytes.lastIndex(of: UInt8(ascii: "\n")).map { bytes[...$0] } ?? rest
        return LogPiece(bytes: Array(whole), isOver: run.state.isOver)
    }

    /// Returns the last whole lines, at most `count` bytes.
    package func tail(atMost count: Int) throws -> Tail {
        var bytes: [UInt8]
        let total: Int
        if run.log != nil {
            bytes = try all()
            total = bytes.count
            bytes = bytes.suffix(count)
        } else {
            total = length
            bytes = growing(from: UInt64(max(0, total - count)), count: count)
        }
        let isCut = total > bytes.count
        if isCut, let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
            bytes = Array(bytes[(end + 1)...])
        }
        return Tail(bytes: bytes, isCut: isCut)
    }

    private func all() throws -> [UInt8] {
        guard let log = run.log else { return [] }
        return try store.bytes(of: log, atMost: 1 << 30)
    }

    private var path: String { folders.log(run.number, of: run.mirror) }

    private var length: Int {
        let facts = try? FileManager.default.attributesOfItem(atPath: path)
        return (facts?[.size] as? NSNumber)?.intValue ?? 0
    }

    private func growing(from offset: UInt64, count: Int) -> [UInt8] {
        guard let file = FileHandle(forReadingAtPath: path) else { return [] }
        defer { try? file.close() }
        do {
            try file.seek(toOffset: offset)
            return Array(try file.read(upToCount: count) ?? Data())
        } catch {
            return []
        }
    }
}

/// A part of a build's log.
package struct LogPiece: Sendable, Equatable {
    package let bytes: [UInt8]
    /// Whether nothing will follow.
    package let isOver: Bool

    package init(bytes: [UInt8], isOver: Bool) {
        self.bytes = bytes
        self.isOver = isOver
    }
}
