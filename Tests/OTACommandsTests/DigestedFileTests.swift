import Bytes
import Cryptography
import Foundation
import Packaging
import TestSupport
import Testing

@testable import OTACommands

/// A signed build is hashed on another thread while it is written.
struct DigestedFileTests {
    private static let bytes = (0..<5 << 20).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 9) }

    @Test(arguments: [1000, 65_536, 1 << 20, (1 << 20) + 1, 3_000_001])
    func `pieces of any size, given or copied, are digested as the file has them`(
        size: Int
    ) async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "out").path()
            let file = try PartialFile(new: path)
            let output = DigestedFile(file)
            let source = MemorySource(Self.bytes)
            for (index, start) in stride(from: 0, to: source.count, by: size).enumerated() {
                let range = start..<min(start + size, source.count)
                if index.isMultiple(of: 3) {
                    try unsafe Self.bytes[range].withUnsafeBytes { try unsafe output.write($0) }
                } else {
                    try output.copy(range, of: source)
                }
            }
            let digest = try output.finish()
            try file.finish()
            let written = try Data(contentsOf: URL(filePath: path))
            #expect(written == Data(Self.bytes))
            #expect(digest.wait() == SHA256Digest(of: Self.bytes))
        }
    }

    @Test func `what ends early or cannot be read is thrown, and nothing waits for ever`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let file = try PartialFile(new: folder.appending(path: "out").path())
            let output = DigestedFile(file)
            #expect(throws: SourceFailure.self) {
                try output.copy(0..<2 << 20, of: MemorySource(Array(Self.bytes[..<1_500_000])))
            }
            #expect(try output.finish().wait() == SHA256Digest(of: Self.bytes[..<1_500_000]))
            let empty = try PartialFile(new: folder.appending(path: "empty").path())
            #expect(try DigestedFile(empty).finish().wait() == SHA256Digest(of: []))
        }
    }
}
