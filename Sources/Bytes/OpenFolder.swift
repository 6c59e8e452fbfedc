#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A folder with an open descriptor, whose contents are reached one name at a time and never through a
/// link.
///
/// A path that is checked and then opened may have changed in between. Here every component is opened
/// relative to the folder before it, and a symbolic link in its place is an error.
package final class OpenFolder: Sendable {
    let descriptor: Int32

    package enum Kind: Equatable, Sendable {
        case folder
        case file(Int)
        case link
        /// A device, a pipe or a socket.
        case special
    }

    /// The kind and permissions of an entry.
    package struct Status: Equatable, Sendable {
        package let kind: Kind
        /// The permission bits, `0o777` at most.
        package let mode: UInt16
    }

    /// Opens a folder by its path.
    ///
    /// Links in the path are followed, so anyone who can change it determines what is read.
    package init(path: String) throws(SourceFailure) {
        guard !path.utf8.contains(0) else { throw Self.null }
        descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure() }
    }

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Opens a folder by its path relative to this one.
    package func folder(at path: String) throws(SourceFailure) -> OpenFolder {
        var folder = self
        for name in Self.parts(of: path) { folder = try folder.child(name) }
        return folder
    }

    /// Opens a regular file for reading, by its path relative to this folder.
    package func file(at path: String) throws(SourceFailure) -> FileSource {
        let (folder, name) = try parent(of: path)
        // Without O_NONBLOCK, opening a pipe without a writer would block forever.
        let file = try folder.opened(name, O_RDONLY | O_NONBLOCK)
        return try FileSource(descriptor: file)
    }

    /// The status of an entry by its path relative to this folder; nil if it does not exist or a link is
    /// on the way.
    package func status(of path: String) -> Status? {
        guard let (folder, name) = try? parent(of: path) else { return nil }
        var status = stat()
        guard unsafe fstatat(folder.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            return nil
        }
        let kind: Kind =
            switch status.st_mode & S_IFMT {
            case S_IFDIR: .folder
            case S_IFREG: .file(Int(status.st_size))
            case S_IFLNK: .link
            default: .special
            }
        return Status(kind: kind, mode: UInt16(status.st_mode & 0o777))
    }

    /// The target of a symbolic link, unresolved.
    package func target(of path: String) throws(SourceFailure) -> [UInt8] {
        let (folder, name) = try parent(of: path)
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = unsafe readlinkat(folder.descriptor, name, &buffer, buffer.count)
        guard count >= 0 else { throw Self.failure() }
        return buffer[..<count].map { UInt8(bitPattern: $0) }
    }

    /// The names in this folder, as bytes in unspecified order, without `.` and `..`.
    ///
    /// - Parameter limit: the maximum number of names to read.
    /// - Returns: the names.
    /// - Throws: ``SourceFailure`` when the folder cannot be read.
    package func names(atMost limit: Int = .max) throws(SourceFailure) -> [[UInt8]] {
        // `closedir` closes the descriptor passed to `fdopendir`.
        let own = try opened(".", O_RDONLY | O_DIRECTORY)
        guard let stream = unsafe fdopendir(own) else {
            let failure = Self.failure()
            close(own)
            throw failure
        }
        defer { unsafe closedir(stream) }
        var names: [[UInt8]] = []
        while names.count < limit, let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { buffer in
                unsafe Array(buffer.prefix { $0 != 0 })
            }
            if name != Array(".".utf8), name != Array("..".utf8) { names.append(name) }
        }
        return names
    }

    // MARK: Parts

    func child(_ name: String) throws(SourceFailure) -> OpenFolder {
        OpenFolder(descriptor: try opened(name, O_RDONLY | O_DIRECTORY))
    }

    private func opened(_ name: String, _ flags: Int32) throws(SourceFailure) -> Int32 {
        guard !name.utf8.contains(0) else { throw Self.null }
        let file = unsafe openat(descriptor, name, flags | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else { throw Self.failure() }
        return file
    }

    func parent(of path: String) throws(SourceFailure) -> (OpenFolder, String) {
        var parts = Self.parts(of: path)
        guard let name = parts.popLast() else { return (self, ".") }
        var folder = self
        for part in parts { folder = try folder.child(part) }
        return (folder, name)
    }

    /// The components of a path as the system splits it.
    ///
    /// `..`, which could lead outside the folder, is replaced by a name that is refused.
    static func parts(of path: String) -> [String] {
        path.utf8.split(separator: UInt8(ascii: "/")).map { part in
            part.elementsEqual("..".utf8) ? "\u{0}" : String(decoding: part, as: UTF8.self)
        }
    }

    static let null = SourceFailure(
        offset: 0,
        reason: "the path has a null character or .. in it",
    )

    static func failure() -> SourceFailure {
        let number = errno
        guard number != ELOOP, number != ENOTDIR else {
            return SourceFailure(
                offset: 0,
                reason: "part of the path is a link, or is not a folder",
            )
        }
        let reason = unsafe String(cString: strerror(number)).lowercased()
        return SourceFailure(offset: 0, reason: reason)
    }
}
