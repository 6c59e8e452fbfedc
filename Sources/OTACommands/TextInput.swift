import Foundation

/// Text that a person hands to a command: a file, or standard input for `-`.
enum TextInput {
    /// `limit` is in bytes.
    ///
    /// - Throws: ``CommandFailure`` when it cannot be read, is too long, or is not UTF-8.
    static func read(_ path: String, limit: Int) throws -> String {
        let bytes = try Self.bytes(path, limit: limit)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure(
                id: "input.not-text",
                message: "the text is not UTF-8",
                place: path,
                mend: "save it as UTF-8",
            )
        }
        return text
    }

    /// The bytes of a small file; see ``read(_:limit:)``.
    static func bytes(_ path: String, limit: Int) throws -> [UInt8] {
        let handle: FileHandle
        if path == "-" {
            handle = .standardInput
        } else {
            do {
                handle = try FileHandle(forReadingFrom: URL(filePath: path))
            } catch {
                throw CommandFailure(
                    id: "input.unreadable",
                    message: "the file cannot be opened",
                    place: path,
                    mend: "check the path and its permissions",
                )
            }
        }
        var bytes: [UInt8] = []
        while bytes.count <= limit, let more = try handle.read(upToCount: 65536), !more.isEmpty {
            bytes += more
        }
        guard bytes.count <= limit else {
            throw CommandFailure(
                id: "input.too-large",
                message: "the input is larger than \(limit) bytes",
                place: path,
            )
        }
        return bytes
    }
}
