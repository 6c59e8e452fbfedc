import Bytes
import Foundation
import TestSupport
import Testing

/// Common behaviour of a file and an array.
struct ByteSourceTests {
    private static let content = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

    private func withEachSource(
        of content: [UInt8],
        _ body: (any ByteSource) throws -> Void,
    ) async throws {
        try body(MemorySource(content))
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "file")
            try Data(content).write(to: file)
            try body(try FileSource(path: file.path(percentEncoded: false)))
        }
    }

    @Test func `any range inside is read`() async throws {
        try await withEachSource(of: Self.content) { source in
            #expect(source.count == 10_000)
            for range in [0..<0, 0..<1, 0..<10_000, 9_999..<10_000, 10_000..<10_000, 77..<4_200] {
                let bytes = try source.bytes(at: range.lowerBound, count: range.count)
                #expect(bytes == Array(Self.content[range]))
            }
        }
    }

    @Test(arguments: [
        (-1, 1), (0, -1), (0, 10_001), (10_000, 1), (10_001, 0), (1, Int.max), (Int.max, Int.max),
        (Int.max, 1), (Int.min, 1), (Int.min, Int.min),
    ])
    func `a range that is not wholly inside is refused`(offset: Int, count: Int) async throws {
        try await withEachSource(of: Self.content) { source in
            #expect(
                throws: SourceFailure(
                    offset: offset,
                    reason: "\(count.grouped) bytes reach beyond the end at 10,000",
                )
            ) {
                try source.bytes(at: offset, count: count)
            }
        }
    }

    @Test func `a buffer larger than the rest is filled with the rest`() async throws {
        try await withEachSource(of: Self.content) { source in
            let (buffer, got) = try source.filling(64, at: 9_990)
            #expect(got == 10)
            #expect(Array(buffer[..<10]) == Array(Self.content[9_990...]))
            #expect(buffer[10...].allSatisfy { $0 == 0xAA })
        }
    }

    @Test(arguments: [-1, 10_001, Int.max, Int.min])
    func `a buffer is not filled from outside`(offset: Int) async throws {
        try await withEachSource(of: Self.content) { source in
            #expect(
                throws: SourceFailure(
                    offset: offset,
                    reason: "outside the 10,000 bytes there are",
                )
            ) {
                _ = try source.filling(4, at: offset)
            }
        }
    }

    @Test func `an empty source has an end and nothing before it`() async throws {
        try await withEachSource(of: []) { source in
            #expect(source.count == 0)
            let nothing = try source.bytes(at: 0, count: 0)
            #expect(nothing.isEmpty)
            #expect(throws: SourceFailure.self) { try source.bytes(at: 0, count: 1) }
        }
    }

    @Test func `a failure is one clause`() {
        let failure = SourceFailure(offset: 12, reason: "ended early")
        #expect(failure.description == "cannot read at offset 12: ended early")
    }
}
