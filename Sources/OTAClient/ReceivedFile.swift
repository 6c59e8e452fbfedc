import Foundation
import Synchronization

/// A file that is written as it arrives, and gets its name only once it is complete.
final class ReceivedFile: Sendable {
    private let path: String
    private let part: String
    private let state: Mutex<State>

    private struct State {
        let file: Int32
        var count = 0
        var isFinished = false
    }

    /// - Throws: the system's error if the file cannot be created.
    init(_ path: String) throws {
        self.path = path
        part = "\(path).\(UUID().uuidString).part"
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let file = unsafe open(part, flags, 0o644)
        guard file >= 0 else { throw Self.failure }
        state = Mutex(State(file: file))
    }

    deinit {
        state.withLock { state in
            close(state.file)
            if !state.isFinished { _ = unsafe unlink(part) }
        }
    }

    func append(_ bytes: [UInt8]) throws {
        try state.withLock { state in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = unsafe rest.withUnsafeBytes { buffer in
                    unsafe write(state.file, buffer.baseAddress, buffer.count)
                }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw Self.failure }
                rest = rest.dropFirst(count)
            }
            state.count += bytes.count
        }
    }

    /// Gives the file its name.
    ///
    /// - Returns: its size in bytes.
    func finish() throws -> Int {
        try state.withLock { state in
            guard fsync(state.file) == 0, unsafe rename(part, path) == 0 else { throw Self.failure }
            state.isFinished = true
            return state.count
        }
    }

    private static var failure: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
