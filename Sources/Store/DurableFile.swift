package import Bytes

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Who may read a file that is made.
package enum FileMode: Sendable {
    /// 0600: everything in the store.
    case ownerOnly
    /// 0644: what a web server is to serve, such as an exported bundle.
    case everyoneReads

    var bits: mode_t {
        switch self {
        case .ownerOnly: 0o600
        case .everyoneReads: 0o644
        }
    }
}

/// Writes a file so that after a return it is there in full, whatever happens to the machine, and
/// before a return either the old file is there or the new one, never a part.
///
/// A new file with its final mode is written in the same folder, synced, renamed over the old one,
/// and the folder is synced. Missing folders are made. Foundation's own atomic write neither
/// syncs the folder nor keeps a secret's mode.
///
/// - Throws: ``SystemFailure`` with the path and the step; the temporary file is then gone and what
///   was there before is untouched, except when only the last sync failed.
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

/// Writes the bytes of `source` as ``durableWrite(_:to:mode:)`` does, a megabyte at a time.
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

/// A file under a name of its own until it is whole; gone when it is dropped before ``move(to:)``.
///
/// It holds its own lock while it is open, so that a sweep can distinguish it from one that a crash left.
final class TemporaryFile {
    private let file: OpenFile
    private var isMoved = false

    static let suffix = ".tmp"

    init(in folder: String, mode: FileMode = .ownerOnly) throws(SystemFailure) {
        var file = try Self.create(in: folder, mode)
        // A sweep that came between the name and the lock has the lock, or has taken the name away.
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

    /// Removes a file that no writer holds the lock of.
    ///
    /// - Returns: whether it was there and is gone.
    static func removeLeftover(_ path: String) throws(SystemFailure) -> Bool {
        guard try Folder.status(path)?.isFile == true else { return false }
        do throws(SystemFailure) {
            let file = try OpenFile.open(path, O_RDONLY)
            guard try file.tryLock() else { return false }
            try Folder.remove(path)
            // Until here the lock is held: a writer that gets it then sees that the name is gone.
            _ = consume file
            return true
        } catch  where error.cause == .missing {
            // Its writer has given it its name meanwhile.
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

    /// Adds the bytes of the file at `path` in stretches, inside the kernel where it can.
    func append(
        contentsOf path: String,
        stretch: Int,
        progress: (Int) -> Void,
    ) throws(SystemFailure) {
        // Not O_NOFOLLOW: the path is one that a person gave.
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

    /// Drops what was written behind `size` bytes, and continues there.
    func truncate(to size: Int) throws(SystemFailure) {
        try file.truncate(to: size)
        try file.write([], at: size)
    }

    func startWriteback(from offset: Int, count: Int) {
        file.startWriteback(from: offset, count: count)
    }

    /// Gives the file its name and waits until the name is on the medium, and what `also` does in the
    /// same folder.
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
