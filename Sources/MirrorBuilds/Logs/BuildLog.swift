import Bytes
import Foundation
import Synchronization

/// The log of a running build: a growing file with its secrets masked, up to a limit.
final class BuildLog: Sendable {
    /// Absolute; the build's followers read it.
    let path: String
    /// The number of bytes for what steps print.
    private let limit: Int
    /// The number of bytes beyond ``limit`` for the server's own lines.
    private static let ownRoom = 1 << 16
    /// Receives everything that is added, as it is shown.
    private let tap: (@Sendable ([UInt8]) -> Void)?
    private let state: Mutex<State>

    private struct State {
        var mask: Mask
        var count = 0
        let file: Int32
        var isAtLineStart: Bool
        /// The offset in the file at which the steps' output ends; nil while they may print more.
        var outputEnd: Int?
        /// Whether the file says that the steps printed more than it keeps.
        var isFull: Bool
    }

    /// - Parameters:
    ///   - path: of the file.
    ///   - secrets: values to mask.
    ///   - limit: the number of bytes that are kept of what steps print.
    ///   - kept: the number of bytes to keep of an earlier process's log; nil starts a new log.
    ///   - tap: also receives everything that is added, masked.
    /// - Throws: why the file cannot be created.
    init(
        at path: String,
        hiding secrets: some Sequence<String>,
        limit: Int,
        keeping kept: Int? = nil,
        tap: (@Sendable ([UInt8]) -> Void)? = nil,
    ) throws {
        self.path = path
        self.limit = limit
        self.tap = tap
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700],
        )
        let flags = O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC
        let file = unsafe open(path, flags, 0o600)
        guard file >= 0 else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path])
        }
        var status = stat()
        let there = unsafe fstat(file, &status) == 0 ? Int(status.st_size) : 0
        let count = max(0, min(kept ?? 0, there))
        guard ftruncate(file, off_t(count)) == 0 else {
            close(file)
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path])
        }
        var last = UInt8(ascii: "\n")
        // A process that was killed may have left an incomplete line.
        if count > 0 { _ = unsafe pread(file, &last, 1, off_t(count - 1)) }
        let isAtLineStart = last == UInt8(ascii: "\n")
        state = Mutex(
            State(
                mask: Mask(secrets),
                count: count,
                file: file,
                isAtLineStart: isAtLineStart,
                isFull: count > limit,
            )
        )
    }

    deinit {
        state.withLock { _ = close($0.file) }
    }

    /// Appends what a step prints.
    func append(_ piece: ArraySlice<UInt8>) {
        state.withLock { state in
            let shown = state.mask.masked(piece)
            print(shown, &state)
        }
    }

    /// Returns a text with its secrets masked.
    func masked(_ text: String) -> String {
        state.withLock { state in
            // The copy masks the same secrets, without changing the mask's state in the log.
            var mask = state.mask
            _ = mask.finish()
            return String(
                decoding: mask.masked(Array(text.utf8)[...]) + mask.finish(),
                as: UTF8.self,
            )
        }
    }

    /// Writes one of the server's own lines, starting on a new line.
    func say(_ line: String) {
        state.withLock { state in
            let rest = state.mask.finish()
            print(rest, &state)
            var mask = state.mask
            let text = mask.masked(Array(line.utf8)[...]) + mask.finish()
            let line =
                (state.isAtLineStart ? [] : [UInt8(ascii: "\n")]) + text + [UInt8(ascii: "\n")]
            write(line[...], &state)
        }
    }

    /// Notes that no step prints any more: what follows are the server's own lines.
    func endOutput() {
        state.withLock { state in
            guard state.outputEnd == nil else { return }
            let rest = state.mask.finish()
            print(rest, &state)
            state.outputEnd = state.count
        }
    }

    /// The part of the file's bytes up to the end of what steps printed.
    func output(of bytes: [UInt8]) -> ArraySlice<UInt8> {
        bytes.prefix(state.withLock { $0.outputEnd } ?? bytes.count)
    }

    /// The length of the file in bytes, if the last thing written was one of the server's lines.
    var length: Int {
        state.withLock { state in
            var status = stat()
            return unsafe fstat(state.file, &status) == 0 ? Int(status.st_size) : 0
        }
    }

    /// The contents of the file, including what the mask still held back.
    func bytes() throws -> [UInt8] {
        state.withLock { state in
            let rest = state.mask.finish()
            print(rest, &state)
        }
        return Array(try Data(contentsOf: URL(filePath: path)))
    }

    /// Writes what steps printed, up to the limit, and says once if there was more.
    private func print(_ bytes: [UInt8], _ state: inout State) {
        guard !state.isFull else { return }
        let room = max(0, limit - state.count)
        write(bytes.prefix(room), &state)
        guard bytes.count > room else { return }
        state.isFull = true
        let words =
            "… the log is longer than \(limit.grouped) bytes, so the rest of what steps print is left out\n"
        write(Array(((state.isAtLineStart ? "" : "\n") + words).utf8)[...], &state)
    }

    private func write(_ bytes: ArraySlice<UInt8>, _ state: inout State) {
        var rest = bytes.prefix(max(0, limit + Self.ownRoom - state.count))
        if let tap, !rest.isEmpty { tap(Array(rest)) }
        state.count += rest.count
        if let last = rest.last { state.isAtLineStart = last == UInt8(ascii: "\n") }
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { buffer in
                unsafe Foundation.write(state.file, buffer.baseAddress, buffer.count)
            }
            // If the disk is full, the log is cut off, but the build continues.
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
