import Bytes
import Essentials

/// A temporary file without a name, which is deleted at the latest when the process ends.
final class NamelessFile {
    private let descriptor: Int32

    /// - Throws: ``SymbolRefusal/unreadable(_:reason:)`` when the file cannot be created.
    init() throws(SymbolRefusal) {
        let folder = FileManager.default.temporaryDirectory
        let path = folder.appending(path: "ota-symbols-\(UUID().uuidString)").path
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        descriptor = unsafe open(path, flags, 0o600)
        guard descriptor >= 0 else { throw Self.failure() }
        _ = unsafe unlink(path)
    }

    deinit { close(descriptor) }

    func append(_ bytes: UnsafeRawBufferPointer) throws(SymbolRefusal) {
        var rest = unsafe bytes
        while unsafe !rest.isEmpty {
            let count = unsafe write(descriptor, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.failure() }
            unsafe rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        }
    }

    /// The appended bytes, for reading.
    func source() throws -> FileSource {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw Self.failure() }
        return try FileSource(descriptor: copy)
    }

    private static func failure() -> SymbolRefusal {
        let reason = unsafe String(cString: strerror(errno)).lowercased()
        return .unreadable("the folder for temporary files", reason: reason)
    }
}
