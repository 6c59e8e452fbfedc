import Bytes
import Essentials

/// Reads files of a repository; links must not lead outside, and files must be small.
///
/// Paths are relative to the root of the repository, separated by slashes.
package struct SourceTree: Sendable {
    package static let fileLimit = 1 << 20

    private let root: String

    /// - Parameter root: the root folder of the checkout.
    /// - Throws: ``SettingsFlaw`` when the folder does not exist.
    package init(root: String) throws(SettingsFlaw) {
        guard let path = Self.realPath(root) else { throw .missing(root) }
        self.root = path
    }

    /// Converts a path of the file system to one relative to the repository.
    ///
    /// - Throws: ``SettingsFlaw`` for a path that does not exist or is outside.
    package func path(of file: String) throws(SettingsFlaw) -> String {
        guard let path = Self.realPath(file) else { throw .missing(file) }
        if path == root { return "" }
        guard path.hasBytes(first: prefix) else { throw .outside(file, from: file) }
        return String(decoding: path.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
    }

    /// Resolves `path` in a file of `folder`; lexically, and only inside the repository.
    package static func resolve(
        _ path: String,
        in folder: String,
        from file: String,
    ) throws(SettingsFlaw) -> String {
        guard path.utf8.first.map("/~<".utf8.contains) != true, !path.utf8.contains(0) else {
            throw .outside(path, from: file)
        }
        var components: [Substring] = []
        for component in folder.split(atByte: "/") + path.split(atByte: "/") {
            switch component {
            case ".": continue
            case "..":
                guard components.popLast() != nil else { throw .outside(path, from: file) }
            default: components.append(component)
            }
        }
        return components.joined(separator: "/")
    }

    /// The folder of a path; empty for the root.
    package static func folder(of path: String) -> String {
        RelativePath(path).parent?.text ?? ""
    }

    /// The text of a small file; nil when it does not exist.
    ///
    /// - Throws: ``SettingsFlaw`` for a link that leads outside, a file that is too large, or one that is
    ///   not text.
    package func text(_ path: String) throws(SettingsFlaw) -> String? {
        guard let file = Self.realPath(prefix + path) else { return nil }
        guard file.hasBytes(first: prefix) else { throw .outside(path, from: path) }
        let descriptor = unsafe open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        guard descriptor >= 0 else {
            throw .unreadable(path, reason: unsafe String(cString: strerror(errno)).lowercased())
        }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .unreadable(path, reason: "it is not a file")
        }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65536)
        while bytes.count <= Self.fileLimit {
            let count = unsafe read(descriptor, &piece, piece.count)
            guard count > 0 else { break }
            bytes += piece[..<count]
        }
        guard bytes.count <= Self.fileLimit else {
            throw .tooLarge(path, limit: Self.fileLimit)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .unreadable(path, reason: "it is not UTF-8")
        }
        return text
    }

    private var prefix: String { root == "/" ? root : root + "/" }

    private static func realPath(_ path: String) -> String? {
        guard !path.utf8.contains(0), let real = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }
}
