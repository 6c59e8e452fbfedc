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

    /// A folder whose hashes were taken, so that what else is in it begins behind them.
    struct Folder {
        /// Its path and the slash behind it.
        fileprivate let prefix: ArraySlice<UInt8>
        fileprivate let exactHasher: Hasher
        fileprivate let foldHasher: Hasher

        fileprivate func holds(_ path: [UInt8]) -> Bool {
            path.count > prefix.count && path.starts(with: prefix)
        }
    }

    private let bytes: [UInt8]
    /// Where what is not hashed yet begins.
    private var start = 0
    private var exactHasher = Hasher()
    private var foldHasher = Hasher()
    private var isAtEnd = false
    /// The innermost folder above the path; nil before its hashes are taken, and where there is none.
    private(set) var folder: Folder?

    init(_ path: RelativePath) {
        bytes = path.bytes
    }

    /// Begins behind `folder`, if the path is in it: archives list the files of a folder together.
    init(_ path: RelativePath, behind folder: Folder?) {
        bytes = path.bytes
        guard let folder, folder.holds(path.bytes) else { return }
        self.folder = folder
        exactHasher = folder.exactHasher
        foldHasher = folder.foldHasher
        start = folder.prefix.count
    }

    mutating func next() -> Element? {
        guard !isAtEnd else { return nil }
        let end = bytes[start...].firstIndex(of: UInt8(ascii: "/")) ?? bytes.endIndex
        let component = bytes[start..<end]
        unsafe component.withUnsafeBytes { unsafe exactHasher.combine(bytes: $0) }
        exactHasher.combine(UInt8(ascii: "/"))
        foldHasher.combine(Self.folded(component))
        isAtEnd = end == bytes.endIndex
        if !isAtEnd {
            start = end + 1
            folder = Folder(
                prefix: bytes[..<start],
                exactHasher: exactHasher,
                foldHasher: foldHasher,
            )
        }
        return Element(
            fold: foldHasher.finalize(),
            exact: exactHasher.finalize(),
            isWhole: isAtEnd,
        )
    }

    // Upper case first: it alone joins the long s with s, and the two sigmas. `Hasher` sees strings by
    // canonical equivalence, which joins composed and decomposed letters.
    private static func folded(_ component: ArraySlice<UInt8>) -> String {
        let text = String(decoding: component, as: UTF8.self)
        return component.allSatisfy { $0 < 0x80 }
            ? text.lowercased() : text.uppercased().lowercased()
    }

    /// The hash of the whole path alone.
    static func fold(of path: RelativePath) -> Int {
        var hashes = PathHashes(path)
        var last = 0
        while let hash = hashes.next() { last = hash.fold }
        return last
    }
}
