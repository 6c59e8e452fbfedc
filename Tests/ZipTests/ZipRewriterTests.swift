import Bytes
import Testing
import Zip

/// Archives that are rewritten with some entries changed.
@Suite struct ZipRewriterTests {
    private final class Collected {
        var bytes: [UInt8] = []
    }

    /// Returns the archive after `body` wrote its entries.
    private static func rewritten(
        _ archive: ZipArchive,
        _ body: (inout ZipRewriter) throws -> Void,
    ) throws -> [UInt8] {
        let collected = Collected()
        var writer = unsafe try ZipRewriter(archive) {
            unsafe collected.bytes.append(contentsOf: $0)
        }
        try body(&writer)
        try writer.finish()
        return collected.bytes
    }

    private static func archive(form: Int) throws -> (bytes: [UInt8], archive: ZipArchive) {
        let bytes = try ZipSamples.archive(ZipSamples.options[form])
        return (bytes, try ZipArchive(reading: MemorySource(bytes)))
    }

    @Test(arguments: ZipSamples.options.indices)
    func `an archive of copied entries is the same to the byte`(form: Int) throws {
        let (bytes, archive) = try Self.archive(form: form)
        let again = try Self.rewritten(archive) { writer in
            for entry in archive.entries { try writer.copy(entry) }
        }
        #expect(again == bytes)
    }

    @Test(arguments: ZipSamples.options.indices)
    func `replaced entries keep everything but their contents`(form: Int) throws {
        let (_, archive) = try Self.archive(form: form)
        let new = ZipSamples.noise(300_000)
        let replaced: Set<RelativePath> = [
            "Payload/X.app/X", "Payload/X.app/noise", "Payload/X.app/streamed",
        ]
        let again = try Self.rewritten(archive) { writer in
            for entry in archive.entries {
                guard replaced.contains(entry.path) else {
                    try writer.copy(entry)
                    continue
                }
                try unsafe writer.replace(entry, size: new.count) { take in
                    try unsafe new.withUnsafeBytes { bytes in
                        try unsafe take(UnsafeRawBufferPointer(rebasing: bytes[..<1000]))
                        try unsafe take(UnsafeRawBufferPointer(rebasing: bytes[1000...]))
                    }
                }
            }
        }
        let result = try ZipArchive(reading: MemorySource(again))
        try result.verify(threads: 1)
        #expect(result.entries.map(\.path) == archive.entries.map(\.path))
        for (before, after) in zip(archive.entries, result.entries) {
            #expect(after.method == before.method)
            #expect(after.unixMode == before.unixMode)
            let old = try archive.contents(of: before, atMost: 1 << 20)
            let contents = try result.contents(of: after, atMost: 1 << 20)
            #expect(contents == (replaced.contains(before.path) ? new : old))
        }
    }

    @Test func `a stored entry is compressed where that is asked for`() throws {
        let (_, archive) = try Self.archive(form: 0)
        let text = Array(ZipSamples.text.utf8)
        let again = try Self.rewritten(archive) { writer in
            for entry in archive.entries where entry.path == "Payload/X.app/noise" {
                try unsafe writer.replace(entry, size: text.count, method: .deflated) { take in
                    try unsafe text.withUnsafeBytes { try unsafe take($0) }
                }
            }
        }
        let result = try ZipArchive(reading: MemorySource(again))
        let entry = try #require(result.entries.first)
        #expect(result.entries.count == 1)
        #expect(entry.method == .deflated)
        #expect(entry.compressedSize < entry.size)
        #expect(try result.contents(of: entry, atMost: 1 << 20) == text)
    }

    @Test func `new entries have the method and the date of the one beside them`() throws {
        let (_, archive) = try Self.archive(form: 0)
        let model = try #require(archive["Payload/X.app/X"])
        let text = Array(ZipSamples.text.utf8)
        let again = try Self.rewritten(archive) { writer in
            try writer.addDirectory("Payload/X.app/new", like: nil)
            try writer.add("Payload/X.app/new/\u{1F944}", contents: text, like: model)
            for entry in archive.entries { try writer.copy(entry) }
        }
        let result = try ZipArchive(reading: MemorySource(again))
        #expect(result.entries.count == archive.entries.count + 2)
        let folder = try #require(result["Payload/X.app/new"])
        #expect(folder.unixMode == 0o040755)
        let file = try #require(result["Payload/X.app/new/\u{1F944}"])
        #expect(file.unixMode == 0o100644)
        #expect(file.method == .deflated)
        #expect(try result.contents(of: file, atMost: 1 << 20) == text)
    }

    @Test(arguments: ZipSamples.options.indices)
    func `who copies ranges writes the same bytes as who is given them`(form: Int) throws {
        let (bytes, archive) = try Self.archive(form: form)
        let copied = Collected()
        var ranges = 0
        var writer = unsafe try ZipRewriter(
            archive,
            copier: { range, source in
                ranges += 1
                copied.bytes += try source.bytes(at: range.lowerBound, count: range.count)
            },
            sink: { unsafe copied.bytes.append(contentsOf: $0) },
        )
        for entry in archive.entries { try writer.copy(entry) }
        try writer.finish()
        #expect(ranges == archive.entries.count)
        #expect(copied.bytes == bytes)
    }

    @Test func `an archive that exists in no file reads as one that does`() throws {
        let noise = ZipSamples.noise(100_000)
        let checksum = unsafe noise.withUnsafeBytes { unsafe crc32(0, over: $0) }
        let assembled = AssembledArchive([
            .folder("Payload", mode: 0o755),
            .folder("Payload/X.app", mode: 0o755),
            .file(
                "Payload/X.app/noise",
                mode: 0o755,
                crc32: checksum,
                contents: MemorySource(noise),
            ),
            .file("Payload/X.app/empty", mode: 0o644, crc32: 0, contents: MemorySource([])),
            .link("Payload/X.app/link", target: "noise"),
        ])
        let archive = try ZipArchive(reading: assembled)
        try archive.verify(threads: 2)
        #expect(
            archive.entries.map(\.path) == [
                "Payload", "Payload/X.app", "Payload/X.app/noise", "Payload/X.app/empty",
                "Payload/X.app/link",
            ]
        )
        let entry = try #require(archive["Payload/X.app/noise"])
        #expect(entry.isExecutable)
        #expect(try archive.contents(of: entry, atMost: 1 << 20) == noise)
        let whole = try assembled.bytes(at: 0, count: assembled.count)
        for start in stride(from: 0, to: assembled.count, by: 9973) {
            let count = min(12_000, assembled.count - start)
            #expect(
                try assembled.bytes(at: start, count: count)
                    == Array(whole[start..<start + count])
            )
        }
    }

    @Test func `verifying some entries reads no others`() throws {
        var bytes = try ZipSamples.archive()
        let archive = try ZipArchive(reading: MemorySource(bytes))
        let noise = try #require(archive["Payload/X.app/noise"])
        bytes[noise.dataOffset] ^= 1
        let damaged = try ZipArchive(reading: MemorySource(bytes))
        #expect(throws: ZipRefusal.self) { try damaged.verify(threads: 1) }
        try damaged.verify(threads: 1, among: { $0.path != noise.path })
    }
}
