import Bytes

/// The hashes of each enclosing folder of a path, from the top down, and of the path itself.
struct PathHashes: IteratorProtocol {
    struct Element {
        /// Equal for paths that differ in case or Unicode normalization.
        let fold: Int
        let exact: Int
        /// Whether this is the path itself, not an enclosing folder.
        let isWhole: Bool
    }

    private var exact: Substring.UTF8View
    private var folded: Substring
    private var exactHasher = Hasher()
    private var foldHasher = Hasher()
    private var isAtEnd = false

    init(_ path: RelativePath) {
        let path = path.text
        exact = path[...].utf8
        // Upper case first: only upper-casing unifies long s with s, and the two lower-case sigmas.
        // `Hasher` hashes strings by canonical equivalence, which unifies composed and decomposed
        // letters.
        let isASCII = path.utf8.allSatisfy { $0 < 0x80 }
        folded = (isASCII ? path.lowercased() : path.uppercased().lowercased())[...]
    }

    mutating func next() -> Element? {
        guard !isAtEnd else { return nil }
        while let byte = exact.popFirst(), byte != UInt8(ascii: "/") {
            exactHasher.combine(byte)
        }
        let end = folded.utf8.firstIndex(of: UInt8(ascii: "/")) ?? folded.endIndex
        foldHasher.combine(folded[..<end])
        isAtEnd = end == folded.endIndex
        if !isAtEnd { folded = folded[folded.utf8.index(after: end)...] }
        exactHasher.combine(UInt8(ascii: "/"))
        return Element(
            fold: foldHasher.finalize(),
            exact: exactHasher.finalize(),
            isWhole: isAtEnd,
        )
    }

    /// The hash of the whole path only.
    static func fold(of path: RelativePath) -> Int {
        var hashes = PathHashes(path)
        var last = 0
        while let hash = hashes.next() { last = hash.fold }
        return last
    }
}
