import Bytes
import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

@Suite(.timeLimit(.minutes(10)))
struct FileSourceTests {
    @Test func `a missing file is named as such`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "absent").path(percentEncoded: false)
            #expect(throws: SourceFailure(offset: 0, reason: "no such file or directory")) {
                try FileSource(path: path)
            }
        }
    }

    @Test(arguments: ["", "/", "/dev/null"])
    func `what is no regular file is refused`(path: String) {
        #expect(throws: SourceFailure.self) { try FileSource(path: path) }
    }

    @Test func `a pipe that nobody writes to does not hold up the reader`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "pipe").path(percentEncoded: false)
            #expect(unsafe mkfifo(path, 0o600) == 0)
            #expect(throws: SourceFailure(offset: 0, reason: "not a regular file")) {
                try FileSource(path: path)
            }
        }
    }

    @Test func `a null character does not shorten the path`() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "file")
            try Data([1]).write(to: file)
            #expect(throws: SourceFailure.self) {
                try FileSource(path: file.path(percentEncoded: false) + "\0.ipa")
            }
        }
    }

    @Test func `names that need care elsewhere are ordinary here`() async throws {
        try await withTemporaryFolder { folder in
            for name in ["with space", "100%25", "ümläut 🦊", "-dash", "quote'\"", "new\nline"] {
                let file = folder.appending(path: name)
                try Data([1, 2]).write(to: file)
                let source = try FileSource(path: file.path(percentEncoded: false))
                #expect(try source.bytes(at: 0, count: 2) == [1, 2])
            }
        }
    }

    @Test func `a file that shrinks fails to read and does not trap`() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "file")
            try Data(repeating: 7, count: 1000).write(to: file)
            let source = try FileSource(path: file.path(percentEncoded: false))
            let writer = try FileHandle(forUpdating: file)
            try writer.truncate(atOffset: 10)
            #expect(source.count == 1000)
            #expect(try source.bytes(at: 0, count: 10).count == 10)
            let failure = SourceFailure(offset: 10, reason: "the file became shorter")
            #expect(throws: failure) { try source.bytes(at: 0, count: 1000) }
            #expect(throws: failure) { try source.bytes(at: 10, count: 1) }
        }
    }

    @Test func `a file that grows keeps the size it was opened with`() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "file")
            try Data(repeating: 7, count: 10).write(to: file)
            let source = try FileSource(path: file.path(percentEncoded: false))
            let writer = try FileHandle(forUpdating: file)
            try writer.seekToEnd()
            try writer.write(contentsOf: Data(repeating: 8, count: 10))
            let (_, got) = try source.filling(20, at: 5)
            #expect(got == 5)
            #expect(throws: SourceFailure.self) { try source.bytes(at: 5, count: 6) }
        }
    }

    @Test func `several threads read one file at once`() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "file")
            let content = (0..<(1 << 18)).map { UInt8(truncatingIfNeeded: $0 >> 4) }
            try Data(content).write(to: file)
            let source = try FileSource(path: file.path(percentEncoded: false))
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for part in 0..<16 {
                    group.addTask {
                        let start = part << 14
                        let bytes = try source.bytes(at: start, count: 1 << 14)
                        return bytes == Array(content[start..<start + (1 << 14)])
                    }
                }
                for try await isEqual in group { #expect(isEqual) }
            }
        }
    }
}
