import Bytes
import Zip

/// `zip`: an accepted archive has a single meaning, in whichever way it is read.
struct ZipArchives: PlainInputKind {
    static let name = "zip"

    /// Small, so that no input causes much work.
    private static let limits = ZipLimits(
        entries: 64,
        symbolicLinks: 8,
        directoryBytes: 16 << 10,
        entrySize: 256 << 10,
        totalSize: 512 << 10,
    )

    static func seeds(by authority: SeedAuthority) throws -> [String: [UInt8]] {
        let forms: [(String, ZipWriter.Options)] = [
            ("plain", .init()),
            ("descriptors", .init(dataDescriptors: true)),
            ("bare-descriptors", .init(dataDescriptors: true, descriptorSignature: false)),
            ("zip64", .init(forceZip64: true)),
            ("comment", .init(comment: Array("comment".utf8))),
        ]
        var seeds: [String: [UInt8]] = [:]
        for (name, options) in forms {
            seeds[name] = try ZipWriter.archive(options: options) { zip in
                try zip.addDirectory("Payload")
                try zip.add("Payload/a", contents: Array(repeating: 0x61, count: 40), mode: 0o755)
                try zip.add("Payload/b", contents: Array("stored".utf8), method: .stored)
                try zip.addSymbolicLink("Payload/c", target: "a")
            }
        }
        return seeds
    }

    func check(_ input: [UInt8]) {
        let source = MemorySource(input)
        guard
            let archive = accepted({ () throws(ZipRefusal) in
                try ZipArchive(reading: source, limits: Self.limits)
            })
        else { return }
        checkNames(of: archive)
        checkSizes(of: archive)
        var refusal: ZipRefusal?
        var contents: [[UInt8]] = []
        for entry in archive.entries {
            do throws(ZipRefusal) {
                contents.append(try Self.contents(of: entry, in: archive))
            } catch {
                refusal = refusal ?? error
            }
        }
        promise(
            Self.verification(of: archive) == refusal,
            "the archive as a whole is judged otherwise than its entries",
        )
        if refusal == nil { checkRewriting(of: archive, contents) }
    }

    private func checkNames(of archive: ZipArchive) {
        var paths: Set<String> = []
        for entry in archive.entries {
            let text = entry.path.text
            let parts = entry.path.bytes.split(
                separator: UInt8(ascii: "/"),
                omittingEmptySubsequences: false,
            )
            promise(
                parts.allSatisfy { part in
                    !["", ".", ".."].contains { part.elementsEqual($0.utf8) }
                },
                "a path leads somewhere else: \(text.debugDescription)",
            )
            promise(
                text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\\" },
                "a path has a character that systems disagree on",
            )
            promise(paths.insert(text.lowercased()).inserted, "a path is there twice")
            promise(archive[entry.path] == entry, "an entry is not found by its path")
        }
    }

    private func checkSizes(of archive: ZipArchive) {
        var end = 0
        for entry in archive.entries.sorted(by: { $0.headerOffset < $1.headerOffset }) {
            promise(entry.headerOffset >= end, "entries share bytes")
            promise(entry.dataOffset > entry.headerOffset, "an entry has no header")
            end = entry.dataOffset + entry.compressedSize
            promise(entry.size <= Self.limits.entrySize, "an entry exceeds its limit")
        }
        promise(end <= archive.source.count, "an entry leaves the archive")
        let total = archive.entries.reduce(0) { $0 + $1.size }
        promise(total <= Self.limits.totalSize, "the contents exceed their limit")
    }

    /// The contents, which must be the same read as a whole and in windows.
    private static func contents(
        of entry: ZipEntry,
        in archive: ZipArchive,
    ) throws(ZipRefusal) -> [UInt8] {
        let whole = Result { () throws(ZipRefusal) in
            try archive.contents(of: entry, atMost: limits.entrySize)
        }
        var pieces: [UInt8] = []
        var refusal: ZipRefusal?
        do {
            try unsafe archive.read(entry, window: 4096) { window in
                unsafe pieces.append(contentsOf: window)
            }
        } catch let error as ZipRefusal {
            refusal = error
        } catch {
            stop("something other than a refusal: \(error)")
        }
        switch whole {
        case .success(let bytes):
            promise(refusal == nil && bytes == pieces, "windows differ from the whole")
            promise(bytes.count == entry.size, "an entry has another size than it says")
            return bytes
        case .failure(let error):
            promise(error == refusal, "windows are refused otherwise than the whole")
            throw error
        }
    }

    private static func verification(of archive: ZipArchive) -> ZipRefusal? {
        do throws(ZipRefusal) {
            try archive.verify(threads: 1)
            return nil
        } catch {
            return error
        }
    }

    /// The archive rewritten by this program's writer must be accepted and mean the same.
    private func checkRewriting(of archive: ZipArchive, _ contents: [[UInt8]]) {
        do {
            let bytes = try ZipWriter.archive { zip in
                for (entry, contents) in pairs(archive.entries, contents) {
                    switch entry.kind {
                    case .directory: try zip.addDirectory(entry.path.text)
                    case .file: try zip.add(entry.path.text, contents: contents, method: .stored)
                    case .symbolicLink:
                        let target = String(decoding: contents, as: UTF8.self)
                        try zip.addSymbolicLink(entry.path.text, target: target)
                    }
                }
            }
            var limits = Self.limits
            limits.directoryBytes *= 2
            let again = try ZipArchive(reading: MemorySource(bytes), limits: limits)
            promise(again.entries.map(\.path) == archive.entries.map(\.path), "paths changed")
            promise(again.entries.map(\.kind) == archive.entries.map(\.kind), "kinds changed")
            for (entry, contents) in pairs(again.entries, contents) {
                let found = try again.contents(of: entry, atMost: Self.limits.entrySize)
                promise(found == contents, "contents changed")
            }
        } catch {
            stop("an accepted archive is refused when it is written again: \(error)")
        }
    }
}

/// The standard library's `zip`, whose name has another meaning here.
private func pairs<First: Sequence, Second: Sequence>(
    _ first: First,
    _ second: Second,
) -> Zip2Sequence<First, Second> { Swift.zip(first, second) }
