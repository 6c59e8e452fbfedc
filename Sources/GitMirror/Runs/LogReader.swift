import Foundation
package import Releases
import Store

/// Reads the log of a build while it grows, and after.
package struct LogReader: Sendable {
    private let number: Int
    private let mirror: Slug
    private let place: BuildPlace

    package init(of number: Int, for mirror: Slug, in place: BuildPlace) {
        self.number = number
        self.mirror = mirror
        self.place = place
    }

    package struct Piece: Sendable {
        package let bytes: [UInt8]
        /// Whether nothing will follow.
        package let isOver: Bool
    }

    /// What is behind an offset, whole lines while the build runs, at most a megabyte.
    ///
    /// - Throws: ``MirrorRefusal/noRun(_:)``, or `StoreFailure`.
    package func read(from offset: Int) throws -> Piece {
        guard let run = try place.store.run(number, of: mirror) else {
            throw MirrorRefusal.noRun(number)
        }
        if let log = run.log {
            let bytes = try place.store.bytes(of: log, atMost: 256 << 20)
            let rest = bytes.dropFirst(offset).prefix(1 << 20)
            return Piece(bytes: Array(rest), isOver: offset + rest.count >= bytes.count)
        }
        let bytes = growing(from: offset)
        let whole = bytes.lastIndex(of: UInt8(ascii: "\n")).map { bytes[...$0] } ?? []
        return Piece(bytes: Array(whole), isOver: run.state.isOver)
    }

    private func growing(from offset: Int) -> [UInt8] {
        let path = place.folders.log(number, of: mirror)
        guard let file = FileHandle(forReadingAtPath: path) else { return [] }
        defer { try? file.close() }
        do {
            try file.seek(toOffset: UInt64(offset))
            return Array(try file.read(upToCount: 1 << 20) ?? Data())
        } catch {
            return []
        }
    }
}
