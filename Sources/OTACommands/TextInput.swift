import Bytes
import Foundation
import Problems

/// Text that a user passes to a command: a file, or standard input for `-`.
enum TextInput {
    /// `limit` is in bytes.
    ///
    /// - Throws: ``Problem`` if the text cannot be read, is too long, or is not UTF-8.
    static func read(_ path: String, limit: Int) throws -> String {
        let bytes = try Self.bytes(path, limit: limit)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Problem(
                id: "input.not-text",
                kind: .invalid,
                message: "the text is not UTF-8",
                place: path,
                fix: "save it as UTF-8",
            )
        }
        return text
    }

    /// The bytes of a small file; see ``read(_:limit:)``.
    static func bytes(_ path: String, limit: Int) throws -> [UInt8] {
        let isFile = path != "-"
        let descriptor = isFile ? unsafe open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO
        guard descriptor >= 0 else { throw unreadable(path) }
        defer { if isFile { close(descriptor) } }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65536)
        while bytes.count <= limit {
            let count = unsafe Foundation.read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw unreadable(path) }
            if count == 0 { break }
            bytes += piece[..<count]
        }
        guard bytes.count <= limit else {
            throw Problem(
                id: "input.too-large",
                kind: .tooLarge,
                message: "the input is larger than \(limit.grouped) bytes",
                place: path,
                fix: "give a shorter file",
            )
        }
        return bytes
    }

    /// The error with the system's reason, which must still be in `errno`.
    private static func unreadable(_ path: String) -> Problem {
        Problem(unreadable: path, because: LastSystemError.reason)
    }
}
