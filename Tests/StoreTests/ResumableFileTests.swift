import Bytes
import Foundation
import TestSupport
import Testing

@testable import Store

/// The bytes of uploads, written with direct I/O where they are aligned to blocks of the disk.
struct ResumableFileTests {
    private static let block = 4096

    /// Uploads can be split anywhere, so pieces begin anywhere in a block, in the file and in memory.
    @Test(arguments: 0..<20)
    func `windows of any size and place come out as one file`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        try await withUploads { backend in
            var expected: [UInt8] = []
            var file = try backend.upload("some")
            file.expect(4 << 20)
            for _ in 0..<30 {
                let count = Int.random(in: 0...300_000, using: &random)
                let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) }
                let isAlike = Bool.random(using: &random)
                let place =
                    isAlike
                    ? expected.count % Self.block : Int.random(in: 0..<Self.block, using: &random)
                try append(bytes, at: place, to: file)
                expected += bytes
                #expect(file.count == expected.count)
                switch Int.random(in: 0..<6, using: &random) {
                case 0:
                    let rest = Int.random(in: 0...expected.count, using: &random)
                    try file.truncate(to: rest)
                    expected.removeLast(expected.count - rest)
                case 1:
                    try file.sync()
                    file = try backend.upload("some")
                default: break
                }
            }
            try file.sync()
            let stored = try file.source().bytes(at: 0, count: expected.count)
            #expect(stored == expected, "seed \(seed)")
            #expect(try backend.uploadSize("some") == expected.count)
        }
    }

    @Test func `blocks go around the cache, and what fills none goes through it`() async throws {
        try await withUploads { backend in
            let file = try backend.upload("some")
            let path = backend.incoming + "/some" + ResumableFile.suffix
            guard OpenFile.openDirect(path, O_WRONLY) != nil else {
                return print("skipped: this disk cannot be written around the cache")
            }
            try append([UInt8](repeating: 1, count: 100), at: 0, to: file)
            #expect(try cached(path) == Self.block)
            try append([UInt8](repeating: 2, count: 1 << 20), at: 100, to: file)
            // The first block, and the last one, which the piece does not fill.
            #expect(try cached(path) == 2 * Self.block)
            try append([UInt8](repeating: 3, count: 1 << 20), at: 101, to: file)
            #expect(try cached(path) > 1 << 20)
        }
    }

    @Test(.enabled(if: Mount.isAllowed, "mounting a file system takes root"))
    func `a window that fills the disk leaves nothing of itself`() async throws {
        try await withTemporaryFolder { folder in
            let image = folder.path() + "disk"
            let place = folder.path() + "mounted"
            try FileManager.default.createDirectory(
                atPath: place,
                withIntermediateDirectories: false,
            )
            #expect(FileManager.default.createFile(atPath: image, contents: nil))
            try FileHandle(forWritingTo: URL(filePath: image)).truncate(atOffset: 16 << 20)
            try #require(try Publisher.run("/sbin/mkfs.ext4", ["-q", image]).status == 0)
            let words = ["-o", "loop", image, place]
            try #require(try Publisher.run("/bin/mount", words).status == 0)
            defer { _ = try? Publisher.run("/bin/umount", ["-l", place]) }
            let file = try DirectoryBackend(root: place).upload("some")
            let window = [UInt8](repeating: 7, count: 640 << 10)
            var taken = 0
            let failure = #expect(throws: StoreFailure.self) {
                for _ in 0..<100 {
                    try append(window, at: taken % Self.block, to: file)
                    taken += window.count
                }
            }
            #expect(failure?.id == "store.no-space")
            #expect(taken > 0 && file.count == taken)
            #expect(try file.source().count == taken)
        }
    }

    /// Appends bytes that begin at `place` of a block of memory.
    private func append(_ bytes: [UInt8], at place: Int, to file: any ResumableBlob) throws {
        let memory = UnsafeMutableRawBufferPointer.allocate(
            byteCount: place + bytes.count,
            alignment: Self.block,
        )
        defer { unsafe memory.deallocate() }
        let window = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[place...])
        unsafe window.copyBytes(from: bytes)
        try unsafe file.append(UnsafeRawBufferPointer(window))
    }

    /// The number of bytes of a file in the page cache.
    private func cached(_ path: String) throws -> Int {
        let words = ["--raw", "--noheadings", "--bytes", "--output", "RES", path]
        let result = try Publisher.run("/usr/bin/fincore", words)
        let text = result.output.trimmingCharacters(in: .whitespacesAndNewlines)
        return try #require(Int(text), "\(result)")
    }

    private func withUploads(_ body: (DirectoryBackend) throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            try body(DirectoryBackend(root: folder.path()))
        }
    }
}
