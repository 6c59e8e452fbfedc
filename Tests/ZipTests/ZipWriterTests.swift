import Bytes
import Testing
import Zip

struct ZipWriterTests {
    @Test(arguments: ZipSamples.options.indices)
    func `what is written in any form is read back`(form: Int) throws {
        let bytes = try ZipSamples.archive(ZipSamples.options[form])
        let archive = try ZipArchive(reading: MemorySource(bytes))
        try archive.verify(threads: 2)
        #expect(
            archive.entries.map(\.path) == [
                "Payload", "Payload/X.app", "Payload/X.app/X", "Payload/X.app/noise",
                "Payload/X.app/empty", "Payload/X.app/caf\u{E9}", "Payload/X.app/link",
                "Payload/X.app/streamed",
            ]
        )
        let contents = try ZipSamples.contents(bytes)
        #expect(contents["Payload/X.app/X"] == Array(ZipSamples.text.utf8))
        #expect(contents["Payload/X.app/noise"] == ZipSamples.noise(80))
        #expect(contents["Payload/X.app/empty"] == [])
        #expect(contents["Payload/X.app/link"] == Array("X".utf8))
        #expect(contents["Payload/X.app/streamed"] == Array("a stream of pieces".utf8))
    }

    @Test
    func `the same calls give the same bytes`() throws {
        #expect(try ZipSamples.archive() == ZipSamples.archive())
    }

    @Test
    func `modes and kinds survive`() throws {
        let archive = try ZipArchive(reading: MemorySource(ZipSamples.archive()))
        let executable = try #require(archive["Payload/X.app/X"])
        #expect(executable.unixMode == 0o100755)
        #expect(executable.isExecutable)
        #expect(executable.method == .deflated)
        #expect(executable.compressedSize < executable.size)
        let noise = try #require(archive["Payload/X.app/noise"])
        #expect(!noise.isExecutable)
        #expect(noise.method == .stored)
        #expect(archive["Payload/X.app"]?.kind == .directory)
        #expect(archive["Payload/X.app/link"]?.kind == .symbolicLink)
    }

    @Test(arguments: [65_534, 65_535])
    func `a count beyond 16 bits takes the zip64 form`(count: Int) throws {
        let bytes = try ZipWriter.archive { zip in
            for index in 0..<count { try zip.add("\(index)", contents: [], method: .stored) }
        }
        let hasLocator = bytes.dropLast(22).suffix(20).starts(with: [0x50, 0x4B, 6, 7])
        #expect(hasLocator == (count >= 65_535))
        let archive = try ZipArchive(reading: MemorySource(bytes))
        #expect(archive.entries.count == count)
        #expect(archive["\(count - 1)"] != nil)
        #expect(archive["\(count)"] == nil)
    }

    @Test
    func `a stored stream is read back`() throws {
        let bytes = try ZipWriter.archive { zip in
            var left = 3
            try zip.add("a", method: .stored) {
                left -= 1
                return left < 0 ? nil : [UInt8](repeating: UInt8(left), count: 100_000)
            }
        }
        let archive = try ZipArchive(reading: MemorySource(bytes))
        let entry = try #require(archive["a"])
        #expect(entry.size == 300_000)
        #expect(try archive.contents(of: entry, atMost: 300_000).first == 2)
    }

    @Test
    func `what the sink and the stream throw is passed on`() throws {
        struct Full: Error {}
        var full = ZipWriter { _ in throw Full() }
        #expect(throws: Full.self) { try full.add("a", contents: [1]) }
        #expect(throws: Full.self) {
            _ = try ZipWriter.archive { zip in try zip.add("a") { throw Full() } }
        }
    }
}
