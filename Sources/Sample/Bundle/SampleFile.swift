/// An entry of a sample: a folder, a link, or a file whose bytes may be generated on demand.
package struct SampleFile: Sendable {
    package enum Content: Sendable {
        case folder
        case bytes([UInt8])
        /// Any number of incompressible bytes, which are never in memory all at once.
        case noise(Noise, count: Int)
        case symbolicLink(target: String)
    }

    /// Relative to the bundle in a draft, and to the archive in a tree; without a trailing slash.
    package var path: String
    package var content: Content
    /// The permission bits.
    package var mode: UInt16

    package init(path: String, content: Content, mode: UInt16) {
        self.path = path
        self.content = content
        self.mode = mode
    }

    package static func file(
        _ path: String,
        _ bytes: some Sequence<UInt8>,
        mode: UInt16 = 0o644,
    ) -> SampleFile {
        SampleFile(path: path, content: .bytes(Array(bytes)), mode: mode)
    }

    package static func text(_ path: String, _ text: String) -> SampleFile {
        file(path, text.utf8)
    }

    /// A file of `count` incompressible bytes, for large archives.
    ///
    /// It is packed in pieces, but is in memory while its digests are computed: prefer several smaller
    /// files.
    package static func noise(_ path: String, count: Int) -> SampleFile {
        SampleFile(path: path, content: .noise(Noise(seed: path), count: count), mode: 0o644)
    }

    package static func folder(_ path: String) -> SampleFile {
        SampleFile(path: path, content: .folder, mode: 0o755)
    }

    package static func symbolicLink(_ path: String, to target: String) -> SampleFile {
        SampleFile(path: path, content: .symbolicLink(target: target), mode: 0o755)
    }
}

extension SampleFile.Content {
    /// The bytes of a file in pieces of at most 64 KiB, or in one piece if they are in memory.
    package func pieces() -> some Sequence<[UInt8]> {
        let period: [UInt8]
        let count: Int
        switch self {
        case .folder, .symbolicLink: (period, count) = ([], 0)
        case .bytes(let bytes): (period, count) = (bytes, bytes.count)
        case .noise(let noise, let total):
            (period, count) = (noise.bytes(Swift.min(total, Noise.period)), total)
        }
        return sequence(state: count) { remaining -> [UInt8]? in
            guard remaining > 0 else { return nil }
            defer { remaining -= period.count }
            return remaining >= period.count ? period : Array(period.prefix(remaining))
        }
    }

    /// All bytes of the file.
    package var bytes: [UInt8] {
        if case .bytes(let bytes) = self { return bytes }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        for piece in pieces() { bytes += piece }
        return bytes
    }

    package var count: Int {
        switch self {
        case .folder, .symbolicLink: 0
        case .bytes(let bytes): bytes.count
        case .noise(_, let count): count
        }
    }

    var isFolder: Bool {
        if case .folder = self { true } else { false }
    }
}
