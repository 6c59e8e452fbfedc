/// The size of the pieces in which a build is sent, one in each request.
///
/// It is limited, because a proxy may buffer a whole request before it forwards it, and may refuse a body
/// above its own limit.
package struct UploadPieces: Sendable, Equatable {
    /// The size of a piece, in bytes.
    package private(set) var size = 16 << 20
    private static let least = 256 << 10

    package init() {}

    /// Respects the limit in the server's `Upload-Limit`.
    package mutating func keep(to limit: String) {
        for member in limit.split(separator: ",") {
            let parts = member.split(separator: "=")
            guard parts.count == 2, parts[0].trimmed == "max-append-size",
                let most = Int(parts[1].trimmed), most > 0
            else { continue }
            size = min(size, most)
        }
    }

    /// Reduces the size to a quarter, for a proxy that refuses pieces of this size.
    ///
    /// - Returns: false if the size is already the minimum.
    package mutating func shrink() -> Bool {
        guard size > Self.least else { return false }
        size = max(Self.least, size / 4)
        return true
    }

    /// The range of bytes of the piece that begins at `offset`.
    package func range(from offset: Int, of total: Int) -> Range<Int> {
        offset..<min(offset + size, total)
    }
}

extension Substring {
    fileprivate var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
