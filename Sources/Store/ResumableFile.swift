import Bytes
import Cryptography

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// An upload's bytes: `incoming/{identifier}.upload`.
final class ResumableFile: ResumableBlob {
    private let file: OpenFile
    /// The same file, around the kernel's cache; nil where the disk cannot.
    private var direct: OpenFile?
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
    /// Bytes cached at once: the largest for which kernels keep memory at hand that was in use just
    /// now; more comes from farther away, and costs several times as much where a virtual machine
    /// gives unused memory back.
    private static let piece = 32 << 10
    /// Bytes that the disk takes from memory: whole blocks, at a multiple of this in both.
    private static let block = 4096
    /// Bytes from which on going around the cache is worth a wait for the disk.
    private static let leastDirect = 64 << 10

    /// Opens the file, and makes it where there is none.
    init(_ path: String, for backend: DirectoryBackend) throws(SystemFailure) {
        file = try OpenFile.open(path, O_RDWR | O_CREAT | O_APPEND, mode: FileMode.ownerOnly.bits)
        direct = OpenFile.openDirect(path, O_WRONLY | O_APPEND)
        self.backend = backend
        count = try file.status().size
        written = count
        reserved = count
    }

    func expect(_ size: Int) {
        expected = size
    }

    /// A window that does not fit is not there afterwards, not even its front.
    ///
    /// Where window and file are at the same place in a block, the blocks go from memory to the
    /// disk: a build is written once and not read before it is complete, so a copy in the kernel's
    /// cache would cost more than everything else about it and drive out what downloads need.
    func append(_ bytes: UnsafeRawBufferPointer) throws(StoreFailure) {
        if count + bytes.count > reserved, reserved < expected {
            let end = min(expected, count + bytes.count + Self.reserve)
            file.reserve(from: reserved, count: end - reserved)
            reserved = end
        }
        do throws(SystemFailure) {
            try unsafe put(bytes)
        } catch {
            try? file.truncate(to: count)
            throw .system(error)
        }
        count += bytes.count
        guard count - written >= Self.stretch else { return }
        file.startWriteback(from: written, count: count - written)
        written = count
    }

    /// Adds bytes, around the cache where that can be done.
    private func put(_ bytes: UnsafeRawBufferPointer) throws(SystemFailure) {
        let head = (Self.block - count % Self.block) % Self.block
        let middle = (bytes.count - head) / Self.block * Self.block
        guard direct != nil, middle >= Self.leastDirect,
            UInt(bitPattern: bytes.baseAddress) % UInt(Self.block) == count % Self.block
        else { return try unsafe cache(bytes[...]) }
        try unsafe cache(bytes[..<head])
        let blocks = unsafe UnsafeRawBufferPointer(rebasing: bytes[head..<(head + middle)])
        let written = unsafe direct?.writeDirect(blocks) ?? 0
        if written < middle { direct = nil }
        try unsafe cache(bytes[(head + written)...])
    }

    private func cache(_ bytes: Slice<UnsafeRawBufferPointer>) throws(SystemFailure) {
        var rest = unsafe bytes
        while unsafe !rest.isEmpty {
            let piece = unsafe UnsafeRawBufferPointer(rebasing: rest.prefix(Self.piece))
            try unsafe file.write(piece)
            unsafe rest = unsafe rest.dropFirst(piece.count)
        }
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
        try requireStore()
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
        try LocalFolder(root: root).path(ofUpload: name)
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
