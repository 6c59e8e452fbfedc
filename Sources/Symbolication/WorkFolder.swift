import Essentials
import Symbols

/// The working folder of one lookup, which only this user can enter.
struct WorkFolder: Sendable {
    static let file = "symbols"

    let path: String

    init(in temporary: String) throws(SymbolizerFailure) {
        // The sandbox mounts it by its real path.
        let top = URL(filePath: temporary).resolvingSymlinksInPath().path
        Self.removeStrays(in: top)
        path = "\(top)/\(Self.prefix)\(UUID().uuidString)"
        guard unsafe mkdir(path, 0o700) == 0 else {
            throw .noFolder(unsafe String(cString: strerror(errno)).lowercased())
        }
    }

    private static let prefix = "ota-symbols-"
    /// The age in seconds after which no lookup is still running.
    private static let longest: TimeInterval = 3600

    /// Removes folders of lookups whose process was killed.
    private static func removeStrays(in top: String) {
        let files = FileManager.default
        for name in (try? files.contentsOfDirectory(atPath: top)) ?? []
        where name.hasPrefix(prefix) {
            let path = "\(top)/\(name)"
            let changed = try? files.attributesOfItem(atPath: path)[.modificationDate] as? Date
            guard let changed, changed.timeIntervalSinceNow < -longest else { continue }
            _ = unsafe unlink("\(path)/\(file)")
            _ = unsafe rmdir(path)
        }
    }

    /// Writes the file with the symbols.
    func unpack(_ bundle: SymbolBundle) throws {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let file = unsafe open("\(path)/\(Self.file)", flags, 0o600)
        guard file >= 0 else { throw Self.failure() }
        defer { close(file) }
        try unsafe bundle.readContent { window in
            var rest = unsafe window
            while unsafe !rest.isEmpty {
                let count = unsafe write(file, rest.baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw Self.failure() }
                unsafe rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
            }
        }
    }

    func remove() {
        _ = unsafe unlink("\(path)/\(Self.file)")
        _ = unsafe rmdir(path)
    }

    private static func failure() -> SymbolizerFailure {
        .noFolder(unsafe String(cString: strerror(errno)).lowercased())
    }
}
