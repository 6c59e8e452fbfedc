#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Creates folders durably, lists and removes them.
enum Folder {
    /// Creates the folder and its missing parents with mode 0700, and syncs the parent of each; otherwise a
    /// power failure could lose the new entry.
    static func make(_ path: String) throws(SystemFailure) {
        if try status(path)?.isFolder == true { return }
        let parent = parent(of: path)
        if parent != path { try make(parent) }
        try makeOne(path)
        try sync(parent)
    }

    /// Creates the folder in an existing parent; it is no error if it exists already.
    static func makeOne(_ path: String) throws(SystemFailure) {
        guard unsafe mkdir(path, 0o700) != 0 else { return }
        guard errno == EEXIST else { throw .last("make folder", path) }
        guard try status(path)?.isFolder == true else {
            throw SystemFailure("make folder", path, code: ENOTDIR)
        }
    }

    /// Returns once the entries of the folder are durable.
    static func sync(_ path: String) throws(SystemFailure) {
        try OpenFile.open(path, O_RDONLY | O_DIRECTORY).sync()
    }

    /// The sorted names in the folder, without `.` and `..`; none if there is no such folder.
    static func names(in path: String) throws(SystemFailure) -> [String] {
        guard let stream = unsafe opendir(path) else {
            if errno == ENOENT { return [] }
            throw .last("list", path)
        }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        errno = 0
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe String(
                    cString: UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self)
                )
            }
            if name != ".", name != ".." { names.append(name) }
            errno = 0
        }
        guard errno == 0 else { throw .last("list", path) }
        return names.sorted()
    }

    static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The status of the file at the path, without following a symbolic link; nil if there is none.
    static func status(_ path: String) throws(SystemFailure) -> stat? {
        var status = stat()
        if unsafe lstat(path, &status) == 0 { return status }
        if errno == ENOENT || errno == ENOTDIR { return nil }
        throw .last("examine", path)
    }

    /// Removes a file; it is no error if it does not exist.
    static func remove(_ path: String) throws(SystemFailure) {
        if unsafe unlink(path) != 0, errno != ENOENT { throw .last("remove", path) }
    }

    /// Removes a file, or a folder with everything in it, without following symbolic links.
    static func removeAll(_ path: String) throws(SystemFailure) {
        guard let status = try status(path) else { return }
        guard status.isFolder else { return try remove(path) }
        for name in try names(in: path) { try removeAll(path + "/" + name) }
        if unsafe rmdir(path) != 0, errno != ENOENT { throw .last("remove", path) }
    }

    /// Sets a folder's modification time to one that it did not have before, even on file systems that
    /// store only whole seconds.
    ///
    /// Without the permission to do so, sets it to the file system's current time.
    static func markChanged(_ path: String) {
        guard let before = (try? status(path))?.modified else { return }
        var now = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        if (now.tv_sec, now.tv_nsec) <= (before.tv_sec, before.tv_nsec) {
            now = before
            now.tv_nsec += 1000
            if now.tv_nsec >= 1_000_000_000 { now = timespec(tv_sec: now.tv_sec + 1, tv_nsec: 0) }
        }
        guard set(now, of: path) else {
            _ = unsafe utimensat(AT_FDCWD, path, nil, 0)
            return
        }
        let after = (try? status(path))?.modified
        guard after?.tv_sec == before.tv_sec, after?.tv_nsec == before.tv_nsec else { return }
        _ = set(timespec(tv_sec: before.tv_sec + 2, tv_nsec: 0), of: path)
    }

    private static func set(_ time: timespec, of path: String) -> Bool {
        unsafe utimensat(AT_FDCWD, path, [time, time], 0) == 0
    }

    static func rename(_ from: String, to path: String) throws(SystemFailure) {
        guard systemRename(from, path) == 0 else { throw .last("rename", path) }
    }
}

extension stat {
    var isFolder: Bool { st_mode & S_IFMT == S_IFDIR }
    var size: Int { Int(st_size) }
    var isFile: Bool { st_mode & S_IFMT == S_IFREG }
}

private func systemRename(_ from: String, _ path: String) -> Int32 {
    unsafe rename(from, path)
}
