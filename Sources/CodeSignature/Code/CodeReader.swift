import Bytes
import Cryptography
import MachOFormat
import Zip

/// Reads a Mach-O file in one pass: keeps its headers and signatures, and hashes its pages.
struct CodeReader {
    private var scanner: MachOScanner
    /// By the offset of the slice in the file.
    private var hashers: [Int: PageHasher] = [:]

    init(fileSize: Int) {
        scanner = MachOScanner(fileSize: fileSize)
    }

    mutating func take(_ window: UnsafeRawBufferPointer) {
        let start = scanner.position
        // The scanner comes first, so that it knows every slice that begins in these bytes, and every
        // signature.
        unsafe scanner.take(window)
        for code in scanner.codeRanges {
            let part = code.clamped(to: start..<start + window.count)
            guard !part.isEmpty else { continue }
            let bytes = unsafe UnsafeRawBufferPointer(
                rebasing: window[part.lowerBound - start..<part.upperBound - start]
            )
            unsafe hashers[code.lowerBound, default: PageHasher(.sha256, pageSize: 4096)]
                .take(bytes)
        }
    }

    /// Whether the file's signatures exceed the size limit.
    var hasOversizedSignatures: Bool { scanner.hasOversizedSignatures }

    consuming func finish() throws(MalformedBytes) -> (MachOFile, HashedPages) {
        let pages = HashedPages(hashers)
        return (try scanner.finish(), pages)
    }
}

/// The page digests of every slice of a file, in the layouts of its CodeDirectories.
struct HashedPages {
    private struct Key: Hashable {
        let start: Int
        let layout: PageLayout
    }

    private var hashers: [Key: PageHasher] = [:]

    init(_ usual: [Int: PageHasher]) {
        for (start, hasher) in usual {
            var hasher = hasher
            hasher.finish()
            hashers[Key(start: start, layout: .usual(codeLimit: hasher.size))] = hasher
        }
    }

    func pages(ofSliceAt start: Int, _ layout: PageLayout) -> PageHasher? {
        hashers[Key(start: start, layout: layout)]
    }

    /// Reads the file again for layouts that were not expected.
    ///
    /// Signatures from before 2020 use SHA-1, and a few use pages of 16 KiB; the layout in a
    /// CodeDirectory is known only at the end of the file.
    mutating func complete(
        _ missing: [(start: Int, layout: PageLayout)],
        of entry: ZipEntry,
        in archive: ZipArchive,
    ) throws {
        guard !missing.isEmpty else { return }
        var added = Dictionary(
            missing.map { start, layout in
                (
                    Key(start: start, layout: layout),
                    PageHasher(layout.algorithm, pageSize: layout.pageSize),
                )
            }
        ) { first, _ in first }
        let keys = Array(added.keys)
        var position = 0
        try unsafe archive.read(entry) { window in
            let bounds = position..<position + window.count
            for key in keys {
                let code = key.start..<key.start + key.layout.codeLimit
                let part = code.clamped(to: bounds)
                guard !part.isEmpty else { continue }
                unsafe added[key]?.take(
                    UnsafeRawBufferPointer(
                        rebasing: window[part.lowerBound - position..<part.upperBound - position]
                    )
                )
            }
            position = bounds.upperBound
        }
        for key in keys { added[key]?.finish() }
        hashers.merge(added) { first, _ in first }
    }
}
