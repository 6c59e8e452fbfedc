import Foundation

/// The IPA while it grows.
final class PartialFile {
    private let path: String
    private let descriptor: Int32
    private var waiting: [UInt8] = []

    init(_ path: String) throws(PackageRefusal) {
        self.path = path
        // Without O_NONBLOCK, opening a pipe without a reader would block for ever.
        descriptor = unsafe open(
            path,
            O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK,
            0o644,
        )
        guard descriptor >= 0 else { throw .unwritable(path, reason: Package.reason) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .unwritable(path, reason: "it is not a regular file")
        }
    }

    deinit {
        close(descriptor)
    }

    /// Keeps small pieces back, as most records of an archive are.
    func write(_ bytes: [UInt8]) throws(PackageRefusal) {
        waiting += bytes
        if waiting.count >= 1 << 20 { try flush() }
    }

    /// Waits until everything is on the medium.
    func finish() throws(PackageRefusal) {
        try flush()
        guard fsync(descriptor) == 0 else { throw .unwritable(path, reason: Package.reason) }
    }

    private func flush() throws(PackageRefusal) {
        var rest = waiting[...]
        while !rest.isEmpty {
            let written = unsafe rest.withUnsafeBytes {
                unsafe Foundation.write(descriptor, $0.baseAddress, $0.count)
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw .unwritable(path, reason: Package.reason) }
            rest = rest.dropFirst(written)
        }
        waiting.removeAll(keepingCapacity: true)
    }
}
