import Foundation
import HTTPServing
import Runners
import Synchronization

/// The files that runners upload; only one request at a time appends to each.
///
/// A request takes over a file from an earlier one, whose connection may be dead without the server
/// knowing. The earlier request fails when it tries to append again.
final class StageReception: Sendable {
    private let files = Mutex<[String: StageFileGrowth]>([:])

    /// Runs `body` with the file at `path`.
    func growing<Result>(
        _ path: String,
        _ body: (StageFileGrowth) async throws -> Result,
    ) async throws -> Result {
        let file = files.withLock { files in
            let file = files[path] ?? StageFileGrowth(path)
            file.enter()
            files[path] = file
            return file
        }
        defer {
            files.withLock { if file.leave() { $0[path] = nil } }
        }
        return try await body(file)
    }
}

/// A file that a runner uploads; all methods but ``enter()`` and ``leave()`` block.
final class StageFileGrowth: Sendable {
    /// The right to append, until another request takes over the file.
    struct Turn: Sendable {
        fileprivate let number: Int
    }

    let path: String
    private let requests = Mutex(0)
    private let turn = Mutex(0)

    fileprivate init(_ path: String) {
        self.path = path
    }

    fileprivate func enter() { requests.withLock { $0 += 1 } }

    /// - Returns: whether no request uses the file any more.
    fileprivate func leave() -> Bool {
        requests.withLock { requests in
            requests -= 1
            return requests == 0
        }
    }

    /// Takes over the file from an earlier request.
    ///
    /// - Returns: the right to append, and the size in bytes.
    func takeOver() throws -> (turn: Turn, count: Int) {
        try turn.withLock { number in
            number += 1
            return (Turn(number: number), try size())
        }
    }

    /// Appends all the bytes or, on an error, none of them.
    ///
    /// - Throws: ``RunnerRefusal/noRoom(bytes:)`` if the disk is full, and
    ///   ``RunnerRefusal/wrongOffset(_:expected:)`` if another request has taken over the file.
    func append(
        _ bytes: UnsafeRawBufferPointer,
        in turn: Turn,
        of kind: RunnerRefusal.StageFile,
    )
        throws
    {
        try self.turn.withLock { number in
            guard number == turn.number else {
                throw RunnerRefusal.wrongOffset(kind, expected: try size())
            }
            let file = try opened(O_WRONLY | O_CREAT | O_APPEND)
            defer { close(file) }
            let before = lseek(file, 0, SEEK_END)
            var rest = unsafe bytes
            while unsafe !rest.isEmpty {
                let count = unsafe write(file, rest.baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else {
                    let code = errno
                    _ = ftruncate(file, before)
                    if code == ENOSPC || code == EDQUOT {
                        throw RunnerRefusal.noRoom(bytes: bytes.count)
                    }
                    throw Self.failure(code)
                }
                unsafe rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
            }
        }
    }

    /// Makes the received bytes durable.
    func sync() throws {
        guard try size() > 0 else { return }
        let file = try opened(O_WRONLY)
        defer { close(file) }
        guard fsync(file) == 0 else { throw Self.failure(errno) }
    }

    /// Deletes the file.
    func empty() throws {
        try turn.withLock { number in
            number += 1
            guard unsafe unlink(path) == 0 || errno == ENOENT else { throw Self.failure(errno) }
        }
    }

    /// The size of the file in bytes; 0 if it does not exist.
    func size() throws -> Int { try Self.size(of: path) }

    /// The size of a file in bytes; 0 if it does not exist.
    static func size(of path: String) throws -> Int {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else {
            guard errno == ENOENT else { throw Self.failure(errno) }
            return 0
        }
        return Int(status.st_size)
    }

    private func opened(_ flags: Int32) throws -> Int32 {
        while true {
            let file = unsafe open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0o600)
            if file >= 0 { return file }
            let code = errno
            if code == EINTR { continue }
            guard code == ENOENT, flags & O_CREAT != 0 else { throw Self.failure(code) }
            let folder = (path as NSString).deletingLastPathComponent
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700],
            )
        }
    }

    private static func failure(_ code: Int32) -> any Error {
        POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO)
    }
}
