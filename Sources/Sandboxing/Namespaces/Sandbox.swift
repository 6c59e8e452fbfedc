import Essentials

/// Namespaces around a program, which sees only its own processes, files and, if wanted, network.
///
/// Of the machine it can read the system's programs, what they need of `/etc`, and the folders that an
/// admin has named. Anything secret among those is covered.
package struct Sandbox: Sendable {
    /// The folder that the program may write to.
    package let folder: String
    package let allowsNetwork: Bool
    /// Absolute paths of folders that an admin lets it read in addition to the system's.
    package var readable: [String] = []
    /// Files and folders that it must not see, wherever they are: the store, keys.
    package var hidden: [String] = []
    /// The memory, in bytes, for its files in each of `/tmp` and `/var/tmp`.
    package var temporaryBytes = 1 << 30

    package init(
        folder: String,
        allowsNetwork: Bool,
        readable: [String] = [],
        hidden: [String] = [],
    ) {
        self.folder = folder
        self.allowsNetwork = allowsNetwork
        self.readable = readable
        self.hidden = hidden
    }

    /// The size of `/dev/shm` in bytes, as in containers.
    private static let sharedBytes = 64 << 20

    /// The path of `bwrap`; nil if it is not installed.
    package static var executable: String? {
        ["/usr/bin/bwrap", "/usr/local/bin/bwrap", "/bin/bwrap"]
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// The arguments with which `bwrap` runs a program.
    package func arguments(
        for program: String,
        _ arguments: [String],
        in directory: String,
    ) -> [String] {
        var words = [
            "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL",
        ]
        if allowsNetwork { words.append("--share-net") }
        words += ["--ro-bind-try", "/usr", "/usr"]
        for path in ["/bin", "/sbin", "/lib", "/lib64", "/lib32"] {
            if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) {
                words += ["--symlink", target, path]
            } else {
                words += ["--ro-bind-try", path, path]
            }
        }
        for path in Self.settings { words += ["--ro-bind-try", path, path] }
        words += ["--proc", "/proc", "--dev", "/dev"]
        // Files that are not on a disk use memory, so all such folders are limited.
        words += Self.memory("/dev/shm", Self.sharedBytes) + ["--remount-ro", "/dev"]
        for path in ["/tmp", "/var/tmp"] { words += Self.memory(path, temporaryBytes) }
        for path in readable { words += ["--ro-bind-try", path, path] }
        let covers = covers()
        for cover in covers { words += cover.words }
        words += ["--bind", folder, folder]
        // After the build's own folder is mounted, which may be in one of them.
        for cover in covers where cover.isFolder { words += ["--remount-ro", cover.place] }
        words += ["--remount-ro", "/"]
        words += ["--chdir", directory, "--", program]
        return words + arguments
    }

    // MARK: Covers

    /// Covers, with an empty folder or file, everything secret.
    ///
    /// These are secrets that are inside a visible folder, by their real path, and visible folders that are
    /// inside a secret one.
    private func covers() -> [Cover] {
        let shown = (["/usr"] + Self.settings + readable)
            .map { (place: $0, real: Self.realPath($0)) }
        var places: Set<String> = []
        for secret in (Self.secrets + hidden).map(Self.realPath) {
            for (place, real) in shown {
                if let rest = Self.rest(of: secret, below: real) { places.insert(place + rest) }
                if Self.rest(of: real, below: secret) != nil { places.insert(place) }
            }
        }
        // Only the outermost ones: a covered folder is empty, so nothing in it can be covered again.
        return places.sorted().reduce(into: [String]()) { kept, place in
            if !kept.contains(where: { Self.rest(of: place, below: $0) != nil }) {
                kept.append(place)
            }
        }
        .compactMap(Cover.init)
    }

    private struct Cover {
        let place: String
        let isFolder: Bool

        /// Nil if nothing exists at the path.
        init?(_ place: String) {
            var status = stat()
            guard unsafe stat(place, &status) == 0 else { return nil }
            self.place = place
            isFolder = status.st_mode & S_IFMT == S_IFDIR
        }

        var words: [String] {
            isFolder ? Sandbox.memory(place, 4096) : ["--ro-bind", "/dev/null", place]
        }
    }

    /// An empty folder in memory.
    fileprivate static func memory(_ place: String, _ bytes: Int) -> [String] {
        ["--size", "\(bytes)", "--tmpfs", place]
    }

    /// Returns what follows `folder` in a path that is the folder or is inside it; compares bytes, as the
    /// system does.
    private static func rest(of path: String, below folder: String) -> String? {
        let (path, folder) = (Array(path.utf8), Array(folder.utf8))
        guard path.starts(with: folder) else { return nil }
        let rest = path.dropFirst(folder.count)
        guard rest.isEmpty || rest.first == UInt8(ascii: "/") else { return nil }
        return String(decoding: rest, as: UTF8.self)
    }

    /// Resolves all symbolic links; a path that does not exist stays as it is.
    private static func realPath(_ path: String) -> String {
        guard let real = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }

    /// What programs need of `/etc`, without passwords and keys.
    private static let settings = [
        "/etc/alternatives", "/etc/ca-certificates", "/etc/crypto-policies", "/etc/group",
        "/etc/hosts", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d",
        "/etc/localtime", "/etc/nsswitch.conf", "/etc/passwd", "/etc/pki/ca-trust",
        "/etc/pki/tls/cert.pem", "/etc/pki/tls/certs", "/etc/pki/tls/openssl.cnf",
        "/etc/resolv.conf", "/etc/ssl/cert.pem", "/etc/ssl/certs", "/etc/ssl/openssl.cnf",
    ]

    /// Places of keys and passwords, below `/usr` or what an admin may have named.
    private static let secrets = [
        "/etc/gshadow", "/etc/pki/tls/private", "/etc/shadow", "/etc/ssl/private",
        "/usr/local/etc", "/usr/local/private", "/usr/local/var",
    ]
}
