import Foundation
import TestSupport
import Testing

#if os(Linux)
import Glibc

/// A signing process holds a private key, and its result is lost once its server is gone.
struct OrphanedSigningTests {
    @Test func `a signing process ends with the process that gave its order`() async throws {
        let program = try #require(Program(built: "OrphanedSigner"), "it is not built")
        try await withTemporaryFolder { folder in
            let pipe = folder.appending(path: "said").path()
            try #require(unsafe mkfifo(pipe, 0o600) == 0)
            let reader = try PipeReader(pipe)
            let server = try program.start([program.path, pipe], in: folder)
            #expect(await reader.next() == .text("signing\n"))
            server.send(SIGKILL)
            // The only writer is gone before it could write more.
            #expect(await reader.next() == .end)
            #expect(try await server.status() == 128 + SIGKILL)
        }
    }
}

/// Reads a pipe to which one process writes, without blocking a thread of the tests.
private final class PipeReader: Sendable {
    enum Part: Equatable {
        case text(String)
        /// No process has the pipe open for writing.
        case end
        /// Nothing was written for half a minute.
        case nothing
    }

    private let descriptor: Int32

    init(_ path: String) throws {
        // Does not wait for a writer, which would never open the pipe if its process failed.
        descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        try #require(descriptor >= 0)
    }

    deinit {
        close(descriptor)
    }

    func next() async -> Part {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: self.wait()) }
        }
    }

    private func wait() -> Part {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&request, 1, 30_000) > 0 else { return .nothing }
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = unsafe read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { return .nothing }
        return count == 0 ? .end : .text(String(decoding: bytes.prefix(count), as: UTF8.self))
    }
}
#endif
