import Bytes
package import Cryptography
package import Problems

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The file with the key that seals identities: 64 hexadecimal digits, or 32 bytes.
///
/// It must not be in the store, because anyone who copies the store would then have both.
package struct SealingKeyFile: Sendable, Equatable {
    package let path: String
    /// Whether systemd provides the file (`$CREDENTIALS_DIRECTORY`).
    ///
    /// It restricts access by access control lists, which appear as permissions of the group.
    package let isCredential: Bool

    package init(path: String, isCredential: Bool = false) {
        self.path = path
        self.isCredential = isCredential
    }

    /// Finds the configured key file: the option, `OTA_KEY_FILE`, or systemd's credential `ota-key`, in
    /// this order; nil if none is given.
    ///
    /// - Parameters:
    ///   - option: the value of the command-line option.
    ///   - environment: the environment of the process; empty variables are ignored.
    package init?(option: String?, environment: [String: String]) {
        func named(_ variable: String) -> String? {
            environment[variable].flatMap { $0.isEmpty ? nil : $0 }
        }
        if let path = option ?? named("OTA_KEY_FILE") {
            self.init(path: path)
        } else if let folder = named("CREDENTIALS_DIRECTORY") {
            let path = folder + "/ota-key"
            guard unsafe access(path, F_OK) == 0 else { return nil }
            self.init(path: path, isCredential: true)
        } else {
            return nil
        }
    }

    /// Whether the file exists, whatever its contents.
    package var isThere: Bool { unsafe access(path, F_OK) == 0 }

    /// Reads the key.
    ///
    /// - Parameter store: the store whose secrets are sealed with the key; the file must be outside of it.
    /// - Returns: the key.
    /// - Throws: ``KeyFileRefusal``.
    package func key(for store: OTAStore) throws(KeyFileRefusal) -> SealingKey {
        try requireOutside(store)
        let bytes = try contents()
        let text = String(decoding: bytes, as: UTF8.self)
        guard let key = SealingKey(bytes: bytes) ?? SealingKey(text: text) else {
            throw .notAKey(path)
        }
        return key
    }

    /// Reads the key, or creates the file with a new key if it does not exist.
    ///
    /// - Returns: the key, and whether it is new.
    /// - Throws: ``KeyFileRefusal``.
    package func keyOrNew(
        for store: OTAStore
    ) throws(KeyFileRefusal) -> (key: SealingKey, isNew: Bool) {
        if isCredential || isThere { return (try key(for: store), false) }
        try requireOutside(store)
        let key = SealingKey(random: randomBytes)
        do throws(SystemFailure) {
            let file = try OpenFile.create(path, mode: FileMode.ownerOnly.bits)
            try file.write(Array(key.text.utf8))
            try file.sync()
            try Folder.sync(Folder.parent(of: path))
        } catch {
            let folder = Folder.parent(of: path)
            guard error.cause == .missing, unsafe access(folder, F_OK) != 0 else {
                throw .system(error)
            }
            throw .noFolder(path)
        }
        return (key, true)
    }

    private func contents() throws(KeyFileRefusal) -> [UInt8] {
        let refusal: KeyFileRefusal
        do throws(SystemFailure) {
            // Orchestrators provide secrets as symbolic links.
            // Without O_NONBLOCK, opening a FIFO without a writer would block forever.
            let file = try OpenFile.open(
                path,
                O_RDONLY | O_NONBLOCK,
                followingLinks: true,
                action: "read",
            )
            let status = try file.status()
            let others: mode_t = isCredential ? 0o007 : 0o077
            if !status.isFile || status.st_size > 4096 {
                refusal = .notAKey(path)
            } else if status.st_mode & others != 0 || ![geteuid(), 0].contains(status.st_uid) {
                refusal = .readableByOthers(path)
            } else {
                return try file.bytes(at: 0, count: Int(status.st_size))
            }
        } catch {
            throw error.cause == .missing ? .missing(path) : .system(error)
        }
        throw refusal
    }

    /// Resolves symbolic links, so that no path into the store is missed.
    private func requireOutside(_ store: OTAStore) throws(KeyFileRefusal) {
        guard let root = store.backend.localFolder?.root, let root = Self.real(root) else { return }
        for place in [path, Folder.parent(of: path)] {
            guard let real = Self.real(place) else { continue }
            guard real != root, !real.hasPrefix(root + "/") else { throw .insideStore(path) }
        }
    }

    private static func real(_ path: String) -> String? {
        guard let found = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(found) }
        return unsafe String(cString: found)
    }
}

/// Why a key file cannot be used.
package enum KeyFileRefusal: ReportableError, Equatable {
    case missing(String)
    /// The folder for a new key file does not exist.
    case noFolder(String)
    case insideStore(String)
    case readableByOthers(String)
    case notAKey(String)
    case system(SystemFailure)

    package var description: String {
        switch self {
        case .missing: "the key file does not exist"
        case .noFolder: "the key file cannot be created: its folder does not exist"
        case .insideStore:
            "the key file is in the store, where every copy of the store would have it"
        case .readableByOthers: "users other than its owner can read the key file"
        case .notAKey: "the key file has no key: it is neither 64 hexadecimal digits nor 32 bytes"
        case .system(let failure): failure.description
        }
    }
}

extension KeyFileRefusal {
    package var id: String {
        switch self {
        case .missing: "key-file.missing"
        case .noFolder: "key-file.no-folder"
        case .insideStore: "key-file.inside-store"
        case .readableByOthers: "key-file.readable"
        case .notAKey: "key-file.malformed"
        case .system(let failure): failure.id
        }
    }

    package var kind: Problem.Kind {
        switch self {
        case .missing, .noFolder, .insideStore, .readableByOthers, .notAKey: .unavailable
        case .system(let failure): failure.kind
        }
    }

    package var place: String {
        switch self {
        case .missing(let path), .noFolder(let path), .insideStore(let path),
            .readableByOthers(let path),
            .notAKey(let path):
            path
        case .system(let failure): failure.path
        }
    }

    package var fix: String {
        switch self {
        case .missing:
            "restore the key file from its copy; without it, set each identity again with "
                + "`ota teams set`"
        case .noFolder(let path): "create the folder \(Folder.parent(of: path))"
        case .insideStore: "move it out of the store, and name its new place with --key-file"
        case .readableByOthers(let path): "run `chmod 600 \(path)` as the user of the server"
        case .notAKey: "give the file that `ota teams add` made"
        case .system(let failure): failure.fix
        }
    }
}
