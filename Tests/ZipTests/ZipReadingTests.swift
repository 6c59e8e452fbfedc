import Bytes
import Synchronization
import Testing
import Zip

struct ZipReadingTests {
    private static let large = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 9) }

    private static func archive() throws -> ZipArchive {
        let bytes = try ZipWriter.archive { zip in
            try zip.add("deflated", contents: large)
            try zip.add("stored", contents: large, method: .stored)
            try zip.add("folder/small", contents: [1, 2, 3])
        }
        return try ZipArchive(reading: MemorySource(bytes))
    }

    @Test(arguments: ["deflated", "stored"], [4096, 65_536, 1 << 20])
    func `windows are full but for the last and make up the contents`(
        path: String,
        window: Int,
    ) throws {
        let archive = try Self.archive()
        let entry = try #require(archive[RelativePath(path)])
        var counts: [Int] = []
        var contents: [UInt8] = []
        try unsafe archive.read(entry, window: window) { chunk in
            counts.append(chunk.count)
            unsafe contents.append(contentsOf: chunk)
        }
        #expect(contents == Self.large)
        #expect(counts.dropLast().allSatisfy { $0 == window })
    }

    @Test
    func `what the reader of a window throws ends the reading`() throws {
        struct Enough: Error {}
        let archive = try Self.archive()
        let entry = try #require(archive["deflated"])
        var windows = 0
        #expect(throws: Enough.self) {
            try unsafe archive.read(entry, window: 4096) { _ in
                windows += 1
                throw Enough()
            }
        }
        #expect(windows == 1)
    }

    @Test
    func `contents beyond the limit are not read`() throws {
        let archive = try Self.archive()
        let entry = try #require(archive["deflated"])
        let refusal = #expect(throws: ZipRefusal.self) {
            try archive.contents(of: entry, atMost: 699_999)
        }
        #expect(refusal?.rule == .tooLarge)
    }

    @Test
    func `a path is found in exactly its case and never as an implied folder`() throws {
        let archive = try Self.archive()
        #expect(archive["folder/small"]?.size == 3)
        #expect(archive["folder/SMALL"] == nil)
        #expect(archive["folder"] == nil)
        #expect(archive["folder/small/"] == nil)
        #expect(archive[""] == nil)
    }

    @Test(arguments: [1, 2, 5])
    func `verifying hands every entry to its sink once`(threads: Int) throws {
        let archive = try Self.archive()
        let sums = Sums()
        let last = Mutex(0)
        try archive.verify(
            threads: threads,
            progress: { done in
                last.withLock { known in
                    #expect(done > known)
                    known = done
                }
            },
            sink: { entry in
                entry.path == "stored" ? nil : SumSink(path: entry.path.text, sums: sums)
            },
        )
        #expect(sums.all == ["deflated": checksum(of: Self.large), "folder/small": 0x55BC_801D])
        #expect(last.withLock { $0 } == archive.compressedSize)
    }

    @Test(arguments: [1, 2, 3, 8])
    func `of several broken entries the first in the directory is named`(threads: Int) throws {
        var zip = RawZip()
        zip.entries = (0..<40).map { index in
            RawEntry("\(index)", String(repeating: "x", count: 10 + index)).changing {
                if index >= 7, index % 3 == 1 { $0.data[0] ^= 1 }
            }
        }
        let archive = try ZipArchive(reading: MemorySource(zip.bytes()))
        for _ in 0..<20 {
            let refusal = #expect(throws: ZipRefusal.self) {
                try archive.verify(threads: threads)
            }
            #expect(refusal?.place == "7")
            #expect(refusal?.rule == .checksum)
        }
    }

    @Test
    func `a refused entry is not finished`() throws {
        let zip = RawZip(RawEntry("a", "1234").changing { $0.data[0] ^= 1 })
        let archive = try ZipArchive(reading: MemorySource(zip.bytes()))
        let sums = Sums()
        #expect(throws: ZipRefusal.self) {
            try archive.verify(threads: 1, sink: { SumSink(path: $0.path.text, sums: sums) })
        }
        #expect(sums.all.isEmpty)
    }

    @Test(arguments: [
        ("Payload/X.app/a", "b"),
        ("Payload/X.app/a", "./b/c"),
        ("Payload/X.app/B/a", "../c"),
        ("Payload/X.app/Frameworks/F.framework/F", "Versions/Current/F"),
        ("Payload/X.app/a", "caf\u{E9}"),
        ("Payload/X.app/a", "..b"),
    ])
    func `a link inside its bundle is a link`(path: String, target: String) throws {
        let zip = RawZip(RawEntry(path, target).changing { $0.mode = 0o120755 })
        let archive = try ZipArchive(reading: MemorySource(zip.bytes()))
        #expect(archive[RelativePath(path)]?.kind == .symbolicLink)
    }
}

private final class Sums: Sendable {
    private let sums = Mutex<[String: UInt32]>([:])

    var all: [String: UInt32] { sums.withLock(\.self) }

    func add(_ sum: UInt32, for path: String) {
        sums.withLock { $0[path] = sum }
    }
}

private struct SumSink: EntrySink {
    let path: String
    let sums: Sums
    private var bytes: [UInt8] = []

    init(path: String, sums: Sums) {
        self.path = path
        self.sums = sums
    }

    mutating func take(_ window: UnsafeRawBufferPointer) {
        unsafe bytes.append(contentsOf: window)
    }

    func finish() {
        sums.add(checksum(of: bytes), for: path)
    }
}
