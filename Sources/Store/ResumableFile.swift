import Bytes
import Cryptography

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Bytes on their way into the store over several connections, or several lives of the server.
///
/// Used by one thread at a time. Dropped, it leaves what has come where it is.
package protocol ResumableBlob: IncomingBlob {
    /// Says how many bytes there will be in all, so that room can be set aside for them.
    func expect(_ size: Int)

    /// Drops what lies behind `count` bytes.
    func truncate(to count: Int) throws(StoreFailure)

    /// Waits until every byte that has come would outlast a power cut.
    func sync() throws(StoreFailure)
}

/// An upload's bytes: `incoming/{identifier}.upload`.
final class ResumableFile: ResumableBlob {
    private let file: OpenFile
    private let backend: DirectoryBackend
    private(set) var count: Int
    private var written: Int
    private var expected = 0
    /// Where the room ends that was set aside.
    private var reserved: Int

    static let suffix = ".upload"
    /// Bytes after which the kernel is asked to begin writing them out.
    private static let stretch = 8 << 20
    /// Bytes that room is set aside for at once: blocks side by side, found in one go.
    private static let reserve = 64 << 20

    /// Opens the file, and makes it where there is none.
    init(_ path: String, for backend: DirectoryBackend) throws(SystemFailure) {
        file = try OpenFile.open(path, O_RDWR | O_CREAT | O_APPEND, mode: FileMode.ownerOnly.bits)
        self.backend = backend
        count = try file.status().size
        written = count
        reserved = count
    }

    func expect(_ size: Int) {
        expected = size
    }

    /// A window that does not fit is not there afterwards, not even its front.
    func append(_ bytes: UnsafeRawBufferPointer) throws(StoreFailure) {
        if count + bytes.count > reserved, reserved < expected {
            let end = min(expected, count + bytes.count + Self.reserve)
            file.reserve(from: reserved, count: end - reserved)
            reserved = end
        }
        do throws(SystemFailure) {
            try unsafe file.write(bytes)
        } catch {
            try? file.truncate(to: count)
            throw .system(error)
        }
        count += bytes.count
        guard count - written >= Self.stretch else { return }
        file.startWriteback(from: written, count: count - written)
        written = count
    }

    func append(contentsOf path: String, progress: (Int) -> Void) throws(StoreFailure) {
        throw .unreadable(path: path, offset: nil, reason: "an upload comes from a connection")
    }

    func truncate(to count: Int) throws(StoreFailure) {
        guard count < self.count else { return }
        try systemCall { () throws(SystemFailure) in try file.truncate(to: count) }
        self.count = count
        written = min(written, count)
        reserved = count
    }

    func sync() throws(StoreFailure) {
        try systemCall { () throws(SystemFailure) in
            try file.sync()
            try Folder.sync(Folder.parent(of: file.path))
        }
    }

    func source() throws(StoreFailure) -> any ByteSource {
        do throws(SourceFailure) {
            return try FileSource(path: file.path)
        } catch {
            throw .unreadable(path: file.path, offset: error.offset, reason: error.reason)
        }
    }

    /// The blob is a second name of the file, so that a server that dies before there is an answer
    /// finds everything as it was.
    func commit(as digest: SHA256Digest) throws(StoreFailure) {
        try systemCall { () throws(SystemFailure) in
            // What a collection goes by: an upload may have taken a day.
            guard futimens(file.descriptor, nil) == 0 else {
                throw SystemFailure("touch", file.path, code: errno)
            }
            try file.sync()
        }
        try backend.adopt(linkTo: file.path, as: digest)
    }
}

extension DirectoryBackend {
    package func upload(_ name: String) throws(StoreFailure) -> any ResumableBlob {
        let path = try uploadPath(name)
        return try systemCall { () throws(SystemFailure) in
            try prepare(incoming)
            return try ResumableFile(path, for: self)
        }
    }

    package func uploadSize(_ name: String) throws(StoreFailure) -> Int? {
        let path = try uploadPath(name)
        return try systemCall { () throws(SystemFailure) in try Folder.status(path) }?.size
    }

    package func removeUpload(_ name: String) throws(StoreFailure) {
        let path = try uploadPath(name)
        try systemCall { () throws(SystemFailure) in try Folder.remove(path) }
    }

    package func uploads() throws(StoreFailure) -> [String] {
        try systemCall { () throws(SystemFailure) in try Folder.names(in: incoming) }
            .filter { $0.hasSuffix(ResumableFile.suffix) }
            .map { String($0.dropLast(ResumableFile.suffix.count)) }
    }

    package func freeSpace() throws(StoreFailure) -> Int? {
        var facts = statvfs()
        guard unsafe statvfs(root, &facts) == 0 else {
            throw .system(.last("examine the disk of", root))
        }
        let (bytes, isMore) = Int(clamping: facts.f_bavail)
            .multipliedReportingOverflow(by: Int(clamping: facts.f_frsize))
        return isMore ? .max : bytes
    }

    private func uploadPath(_ name: String) throws(StoreFailure) -> String {
        guard DocumentName.isAllowed(name) else { throw .unusableName(name) }
        return incoming + "/" + name + ResumableFile.suffix
    }

    /// Makes the file a blob under a second name; see ``IncomingBlob/commit(as:)``.
    fileprivate func adopt(linkTo file: String, as digest: SHA256Digest) throws(StoreFailure) {
        let path = path(of: digest)
        let second = file + TemporaryFile.suffix
        try systemCall { () throws(SystemFailure) in
            try prepare(Folder.parent(of: path))
            try Folder.remove(second)
            guard unsafe link(file, second) == 0 else { throw .last("link", second) }
        }
        try lock.withLock { () throws(StoreFailure) in
            try systemCall { () throws(SystemFailure) in
                try Folder.rename(second, to: path)
                try Folder.sync(Folder.parent(of: path))
            }
        }
        // Between two names of one file a rename does nothing, and leaves both.
        try systemCall { () throws(SystemFailure) in try Folder.remove(second) }
    }
}
