/// How much of a build goes into one request.
///
/// A piece is bounded, because a proxy in front may hold a whole one back before it hands it on,
/// and takes none above a size of its own.
package struct UploadPieces: Sendable, Equatable {
    /// Bytes of a piece.
    package private(set) var size = 16 << 20
    private static let least = 256 << 10

    package init() {}

    /// Keeps to what the server's `Upload-Limit` says.
    package mutating func keep(to limit: String) {
        for member in limit.split(separator: ",") {
            let parts = member.split(separator: "=")
            guard parts.count == 2, parts[0].trimmed == "max-append-size",
                let most = Int(parts[1].trimmed), most > 0
            else { continue }
            size = min(size, most)
        }
    }

    /// Makes the piece a quarter of what it was, for a proxy that takes none so large.
    ///
    /// - Returns: false when it is as small as makes sense.
    package mutating func shrink() -> Bool {
        guard size > Self.least else { return false }
        size = max(Self.least, size / 4)
        return true
    }

    /// The bytes of the piece from `offset` on.
    package func range(from offset: Int, of total: Int) -> Range<Int> {
        offset..<min(offset + size, total)
    }
}

extension Substring {
    fileprivate var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
