import Bytes
import Foundation
import Problems

/// An ordinary file that a command writes for other programs.
enum OutputFile {
    /// Refuses a path whose folder does not exist: a typing error would create folders that no one expects.
    static func checkFolder(of path: String) throws {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        var isFolder: ObjCBool = false
        let isThere = unsafe FileManager.default.fileExists(
            atPath: folder,
            isDirectory: &isFolder,
        )
        guard !isThere || !isFolder.boolValue else { return }
        throw Problem(
            id: "output.unwritable",
            kind: .unavailable,
            message: "the file cannot be written: there is no folder \(quoted: folder)",
            place: path,
            fix: "create the folder, or choose another path",
        )
    }

    /// Replaces the contents of a file, or creates it.
    static func write(_ bytes: [UInt8], to path: String) throws {
        try put(bytes, path, O_TRUNC)
    }

    /// Appends to a file, or creates it; other programs may be appending to it as well.
    static func append(_ bytes: [UInt8], to path: String) throws {
        try put(bytes, path, O_APPEND)
    }

    private static func put(_ bytes: [UInt8], _ path: String, _ how: Int32) throws {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC | how, 0o644)
        guard descriptor >= 0 else { throw unwritable(path) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = unsafe rest.withUnsafeBytes {
                unsafe Foundation.write(descriptor, $0.baseAddress, $0.count)
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else {
                let failure = unwritable(path)
                close(descriptor)
                throw failure
            }
            rest = rest.dropFirst(written)
        }
        // A full disk or a network file system may only report an error now.
        guard close(descriptor) == 0 else { throw unwritable(path) }
    }

    /// The error with the system's reason, which must still be in `errno`.
    private static func unwritable(_ path: String) -> Problem {
        Problem(
            id: "output.unwritable",
            kind: .unavailable,
            message: "the file cannot be written: \(LastSystemError.reason)",
            place: path,
            fix: "check the path, its permissions and the free space",
        )
    }
}
