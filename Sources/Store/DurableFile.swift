package import Bytes

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The access mode of a new file.
package enum FileMode: Sendable {
    /// 0600: for everything in the store.
    case ownerOnly
    /// 0644: for files that a web server serves, such as an exported bundle.
    case everyoneReads

    var bits: mode_t {
        switch self {
        case .ownerOnly: 0o600
        case .everyoneReads: 0o644
        }
    }
}

/// Writes a file atomically and durably.
///
/// Until it returns, `path` has either the old file or the new one, never a part; afterwards the new file
/// survives a crash or power failure. A new file with its final mode is written in the same folder, synced
/// and renamed over the old one, and the folder is synced. Missing folders are created. Foundation's atomic
/// write neither syncs the folder nor keeps a secret's mode.
///
/// - Throws: ``SystemFailure`` with the path and the step. The temporary file is then removed and the old
///   file is unchanged, unless only the last sync failed.
package func durableWrite(
    _ bytes: [UInt8],
    to path: String,
    mode: FileMode = .ownerOnly,
) throws(SystemFailure) {
    let folder = Folder.parent(of: path)
    try Folder.make(folder)
    let file = try TemporaryFile(in: folder, mode: mode)
    try file.write(bytes)
    try file.sync()
    try file.move(to: path)
}

/// Copies the bytes of `source` to a file as ``durableWrite(_:to:mode:)`` does, 1 MiB at a time.
///
/// - Throws: ``SystemFailure`` for the file, `SourceFailure` for the source.
package func durableCopy(
    of source: any ByteSource,
    to path: String,
    mode: FileMode = .ownerOnly,
) throws {
    let folder = Folder.parent(of: path)
    try Folder.make(folder)
    let file = try TemporaryFile(in: folder, mode: mode)
    var offset = 0
    while offset < source.count {
        let bytes = try source.bytes(at: offset, count: min(1 << 20, source.count - offset))
        try file.write(bytes)
        offset += bytes.count
    }
    try file.sync()
    try file.move(to: path)
}

/// A file with a temporary name until it is complete; it is deleted if released before ``move(to:)``.
///
/// It holds a lock on itself while it is open, so that a sweep can distinguish it from a file that a crash
/// left.
final class TemporaryFile {
    private let file: OpenFile
    private var isMoved = false

    static let suffix = ".tmp"

    init(in folder: String, mode: FileMode = .ownerOnly) throws(SystemFailure) {
        var file = try Self.create(in: folder, mode)
        // A sweep between the file's creation and its locking holds the lock, or has unlinked the file.
        for _ in 0..<8 {
            if try file.tryLock(), try file.status().st_nlink > 0 { break }
            file = try Self.create(in: folder, mode)
        }
        self.file = file
    }

    private static func create(
        in folder: String,
        _ mode: FileMode,
    ) throws(SystemFailure) -> OpenFile {
        var generator = SystemRandomNumberGenerator()
        let name = String(generator.next(), radix: 36) + String(generator.next(), radix: 36)
        return try OpenFile.create("\(folder)/\(name)\(suffix)", mode: mode.bits)
    }

    /// Removes a file that no writer has locked.
    ///
    /// - Returns: whether it existed and was removed.
    static func removeLeftover(_ path: String) throws(SystemFailure) -> Bool {
        guard try Folder.status(path)?.isFile == true else { return false }
        do throws(SystemFailure) {
            let file = try OpenFile.open(path, O_RDONLY)
            guard try file.tryLock() else { return false }
            try Folder.remove(path)
            // The lock is held until here: a writer that gets it next sees that the file is unlinked.
            _ = consume file
            return true
        } catch  where error.cause == .missing {
            // Its writer has renamed it meanwhile.
            return false
        }
    }

    deinit {
        if !isMoved { _ = unsafe unlink(file.path) }
    }

    var path: String { file.path }
    var descriptor: Int32 { file.descriptor }

    func write(_ bytes: [UInt8]) throws(SystemFailure) {
        try file.write(bytes)
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(SystemFailure) {
        try unsafe file.write(bytes)
    }

    /// Appends the bytes of the file at `path`, `stretch` bytes at a time, inside the kernel if possible.
    func append(
        contentsOf path: String,
        stretch: Int,
        progress: (Int) -> Void,
    ) throws(SystemFailure) {
        // Not O_NOFOLLOW: the path was given by a user.
        let other = try OpenFile.open(path, O_RDONLY, followingLinks: true, action: "read")
        var offset = 0
        while let count = try file.copyRange(of: other, at: offset, count: stretch) {
            guard count > 0 else { return }
            offset += count
            progress(count)
        }
        while true {
            let bytes = try other.bytes(at: offset, count: 1 << 20)
            guard !bytes.isEmpty else { return }
            try file.write(bytes)
            offset += bytes.count
            progress(bytes.count)
        }
    }

    func sync() throws(SystemFailure) {
        try file.sync()
    }

    /// Discards everything after the first `size` bytes and continues writing there.
    func truncate(to size: Int) throws(SystemFailure) {
        try file.truncate(to: size)
        try file.write([], at: size)
    }

    func startWriteback(from offset: Int, count: Int) {
        file.startWriteback(from: offset, count: count)
    }

    /// Renames the file to `path`, runs `also`, and returns once the changes of its folder are durable.
    func move(
        to path: String,
        also: () throws(SystemFailure) -> Void = {},
    ) throws(SystemFailure) {
        try Folder.rename(file.path, to: path)
        isMoved = true
        try also()
        try Folder.sync(Folder.parent(of: path))
    }
}
