import Bytes
import CLinux

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file descriptor that closes itself; errors of its calls contain its path.
struct OpenFile: ~Copyable {
    let descriptor: Int32
    let path: String

    private init(descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit {
        close(descriptor)
    }

    /// Opens a file; throws for a symbolic link as the last path component unless `followingLinks`.
    static func open(
        _ path: String,
        _ flags: Int32,
        mode: mode_t = 0,
        followingLinks: Bool = false,
        action: String = "open",
    ) throws(SystemFailure) -> OpenFile {
        let flags = flags | O_CLOEXEC | (followingLinks ? 0 : O_NOFOLLOW)
        while true {
            let descriptor = systemOpen(path, flags, mode)
            if descriptor >= 0 { return OpenFile(descriptor: descriptor, path: path) }
            guard errno == EINTR else { throw .last(action, path) }
        }
    }

    /// Creates a file that must not exist yet, with its final mode from the start.
    static func create(_ path: String, mode: mode_t) throws(SystemFailure) -> OpenFile {
        try open(path, O_RDWR | O_CREAT | O_EXCL, mode: mode, action: "create")
    }

    /// Opens a file for writing with O_DIRECT, by ``writeDirect(_:)``; nil if the file system does not
    /// support it.
    static func openDirect(_ path: String, _ flags: Int32) -> OpenFile? {
        #if os(Linux)
        return try? open(path, flags | Int32(OTA_O_DIRECT))
        #else
        return nil
        #endif
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(SystemFailure) {
        var done = 0
        while done < bytes.count {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[done...])
            let count = unsafe systemWrite(descriptor, rest.baseAddress, rest.count)
            if count >= 0 {
                done += count
            } else if errno != EINTR {
                throw .last("write", path)
            }
        }
    }

    /// Writes whole blocks to a file opened with ``openDirect(_:_:)``.
    ///
    /// - Returns: the number of bytes written. If fewer than given, the caller writes the rest with
    ///   ``write(_:)``, which throws the error if there is one.
    func writeDirect(_ blocks: UnsafeRawBufferPointer) -> Int {
        var done = 0
        while done < blocks.count {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: blocks[done...])
            let count = unsafe systemWrite(descriptor, rest.baseAddress, rest.count)
            if count > 0 {
                done += count
            } else if count == 0 || errno != EINTR {
                break
            }
        }
        return done
    }

    func write(_ bytes: [UInt8]) throws(SystemFailure) {
        var failure: SystemFailure?
        unsafe bytes.withUnsafeBytes { buffer in
            do throws(SystemFailure) {
                try unsafe write(buffer)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    /// Writes at an offset, over what is there; not for files opened with O_APPEND.
    func write(_ bytes: [UInt8], at offset: Int) throws(SystemFailure) {
        guard lseek(descriptor, off_t(offset), SEEK_SET) == off_t(offset) else {
            throw .last("write", path)
        }
        try write(bytes)
    }

    /// Fills `buffer` from `offset`; returns fewer bytes only at the end of the file.
    func read(
        at offset: Int,
        into buffer: UnsafeMutableRawBufferPointer,
    ) throws(SystemFailure) -> Int {
        var done = 0
        while done < buffer.count {
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let count = unsafe pread(
                descriptor,
                rest.baseAddress,
                rest.count,
                off_t(offset + done),
            )
            if count == 0 { break }
            if count > 0 {
                done += count
            } else if errno != EINTR {
                throw .last("read", path)
            }
        }
        return done
    }

    /// Reads up to `count` bytes, at most 1 GiB, which is more than any document or any month's journal
    /// has.
    func bytes(at offset: Int, count: Int) throws(SystemFailure) -> [UInt8] {
        let room: BoundedCount
        do throws(OversizedCount) {
            room = try BoundedCount(count, atMost: 1 << 30, of: "bytes at once")
        } catch {
            throw SystemFailure("read", path, code: EFBIG)
        }
        var failure: SystemFailure?
        let bytes = unsafe [UInt8](uninitialized: room) { buffer, filled in
            do throws(SystemFailure) {
                filled = try unsafe read(at: offset, into: UnsafeMutableRawBufferPointer(buffer))
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Flushes the file to stable storage.
    ///
    /// An error is final: the kernel forgets pages that it could not write, so a second call would report
    /// success although bytes are lost. The call is never repeated.
    func sync() throws(SystemFailure) {
        #if canImport(Darwin)
        guard fcntl(descriptor, F_FULLFSYNC) != -1 else { throw .last("sync", path) }
        #else
        guard fsync(descriptor) == 0 else { throw .last("sync", path) }
        #endif
    }

    /// Asks the kernel to start writeback of a range, so that ``sync()`` has little left to wait for.
    func startWriteback(from offset: Int, count: Int) {
        #if os(Linux)
        _ = sync_file_range(
            descriptor,
            Int64(offset),
            Int64(count),
            UInt32(OTA_SYNC_FILE_RANGE_WRITE),
        )
        #endif
    }

    /// Reserves disk space without changing the file's size, if the file system can.
    func reserve(from offset: Int, count: Int) {
        #if os(Linux)
        _ = fallocate(
            descriptor,
            Int32(OTA_FALLOC_FL_KEEP_SIZE),
            Int64(offset),
            Int64(count),
        )
        #endif
    }

    /// Copies bytes of another file to this one's position, inside the kernel if possible.
    ///
    /// - Returns: the number of bytes, 0 at the end of `other`; nil if it is not possible for these two
    ///   files.
    func copyRange(
        of other: borrowing OpenFile,
        at offset: Int,
        count: Int,
    ) throws(SystemFailure) -> Int? {
        #if os(Linux)
        var position = Int64(offset)
        while true {
            let copied = unsafe copy_file_range(
                other.descriptor,
                &position,
                descriptor,
                nil,
                count,
                0,
            )
            if copied >= 0 { return copied }
            switch errno {
            case EINTR: continue
            case EXDEV, EINVAL, ENOSYS, EOPNOTSUPP, EPERM: return nil
            default: throw .last("write", path)
            }
        }
        #else
        return nil
        #endif
    }

    func truncate(to size: Int) throws(SystemFailure) {
        guard ftruncate(descriptor, off_t(size)) == 0 else { throw .last("truncate", path) }
    }

    func status() throws(SystemFailure) -> stat {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw .last("examine", path) }
        return status
    }

    /// Locks the file if no process has it locked; closing the descriptor releases the lock.
    func tryLock(_ operation: Int32 = LOCK_EX) throws(SystemFailure) -> Bool {
        while true {
            if flock(descriptor, operation | LOCK_NB) == 0 { return true }
            if errno == EWOULDBLOCK { return false }
            guard errno == EINTR else { throw .last("lock", path) }
        }
    }
}

private func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
    unsafe open(path, flags, mode)
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(descriptor, bytes, count)
}
