import Bytes
import Foundation
import Synchronization

/// The log of a build while it runs: a file that grows, without secrets, up to a limit.
final class BuildLog: Sendable {
    /// Absolute; followers of the build read it.
    let path: String
    /// Bytes for what steps print.
    private let limit: Int
    /// Bytes for lines of ours beyond ``limit``.
    private static let ownRoom = 1 << 16
    /// Is given what is added too, as it is shown.
    private let tap: (@Sendable ([UInt8]) -> Void)?
    private let state: Mutex<State>

    private struct State {
        var mask: Mask
        var count = 0
        let file: Int32
        var isAtLineStart: Bool
        /// Bytes of the file that steps had a part in; nil while they may print more.
        var outputEnd: Int?
        /// Whether the file says that more was printed than it keeps.
        var isFull: Bool
    }

    /// - Parameters:
    ///   - path: of the file.
    ///   - secrets: values to mask.
    ///   - limit: bytes that are kept of what steps print.
    ///   - kept: bytes of an earlier process's log to keep; nil starts a new log.
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
        // A process that was killed may have left a part of a line.
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

    /// What a step prints.
    func append(_ piece: ArraySlice<UInt8>) {
        state.withLock { state in
            let shown = state.mask.masked(piece)
            print(shown, &state)
        }
    }

    /// A text without the secrets that the log hides.
    func masked(_ text: String) -> String {
        state.withLock { state in
            // What is hidden is the same; where it has come to in the log is not.
            var mask = state.mask
            _ = mask.finish()
            return String(
                decoding: mask.masked(Array(text.utf8)[...]) + mask.finish(),
                as: UTF8.self,
            )
        }
    }

    /// A line of ours, on a line of its own.
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

    /// Says that no step prints any more: what follows is ours.
    func endOutput() {
        state.withLock { state in
            guard state.outputEnd == nil else { return }
            let rest = state.mask.finish()
            print(rest, &state)
            state.outputEnd = state.count
        }
    }

    /// Of the bytes of the file, those up to the end of what steps print.
    func output(of bytes: [UInt8]) -> ArraySlice<UInt8> {
        bytes.prefix(state.withLock { $0.outputEnd } ?? bytes.count)
    }

    /// Bytes that the file has, once a line of ours was the last.
    var length: Int {
        state.withLock { state in
            var status = stat()
            return unsafe fstat(state.file, &status) == 0 ? Int(status.st_size) : 0
        }
    }

    /// What is in the file.
    func bytes() throws -> [UInt8] {
        state.withLock { state in
            let rest = state.mask.finish()
            print(rest, &state)
        }
        return Array(try Data(contentsOf: URL(filePath: path)))
    }

    /// Writes what steps have printed, up to the limit, and says once that there was more.
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
            // A full disk costs the log and not the build.
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
