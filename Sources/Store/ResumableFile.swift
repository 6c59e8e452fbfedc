import Bytes
import Cryptography

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The bytes of an upload: `incoming/{identifier}.upload`.
final class ResumableFile: ResumableBlob {
    private let file: OpenFile
    /// The same file, opened with O_DIRECT; nil if the file system does not support it.
    private var direct: OpenFile?
    private let backend: DirectoryBackend
    private(set) var count: Int
    private var written: Int
    private var expected = 0
    /// The end of the reserved space.
    private var reserved: Int

    static let suffix = ".upload"
    /// Bytes after which the kernel is asked to start writeback.
    private static let stretch = 8 << 20
    /// Bytes of disk space to reserve at a time, so that the blocks are contiguous.
    private static let reserve = 64 << 20
    /// Bytes per cached write: the largest size for which kernels keep recently used memory at hand.
    ///
    /// Larger writes need memory that costs several times as much where a virtual machine returns unused
    /// memory to its host.
    private static let piece = 32 << 10
    /// The block size of direct writes: offset, size and memory address must be multiples of it.
    private static let block = 4096
    /// The fewest bytes for which a direct write is worth waiting for the disk.
    private static let leastDirect = 64 << 10

    /// Opens the file, or creates it if there is none.
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

    /// Appends all the bytes or, if an error occurs, none of them.
    ///
    /// If memory and file have the same alignment within a block, whole blocks are written with O_DIRECT: a
    /// build is written once and not read before it is complete, so copying it to the page cache would cost
    /// more than all other work on it and would evict pages that downloads need.
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

    /// Appends bytes, with O_DIRECT if possible.
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

    /// Makes the blob a second hard link to the file, so that if the server ends before it answers, the
    /// upload is still complete.
    func commit(as digest: SHA256Digest) throws(StoreFailure) {
        try systemCall { () throws(SystemFailure) in
            // Garbage collection uses the modification time, and an upload may have taken a day.
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

    /// Makes the file a blob by a second hard link; see ``IncomingBlob/commit(as:)``.
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
        // Renaming one hard link of a file to another does nothing and leaves both.
        try systemCall { () throws(SystemFailure) in try Folder.remove(second) }
    }
}
