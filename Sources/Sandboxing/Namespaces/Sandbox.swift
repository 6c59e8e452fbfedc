import Essentials

/// Namespaces around a program: no process, no file and, if wanted, no network but its own.
///
/// Of the machine it sees the system's programs and what they need of `/etc`, for reading, and the
/// folders that an admin has named. Whatever of that leads to something secret is covered.
package struct Sandbox: Sendable {
    /// The folder that it may write.
    package let folder: String
    package let allowsNetwork: Bool
    /// Folders that an admin lets it read beside the system's, absolute.
    package var readable: [String] = []
    /// Files and folders that it must not see, wherever they lie: the store, keys.
    package var hidden: [String] = []
    /// Bytes of memory that its files in each of `/tmp` and `/var/tmp` may take.
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

    /// As containers have it.
    private static let sharedBytes = 64 << 20

    /// Where `bwrap` is; nil when it is not installed.
    package static var executable: String? {
        ["/usr/bin/bwrap", "/usr/local/bin/bwrap", "/bin/bwrap"]
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// The arguments of `bwrap` that lead to a program.
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
        // What is not on a disk is in the machine's memory, so nothing of it grows without bound.
        words += Self.memory("/dev/shm", Self.sharedBytes) + ["--remount-ro", "/dev"]
        for path in ["/tmp", "/var/tmp"] { words += Self.memory(path, temporaryBytes) }
        for path in readable { words += ["--ro-bind-try", path, path] }
        let covers = covers()
        for cover in covers { words += cover.words }
        words += ["--bind", folder, folder]
        // After the build's own folder, which may lie in one of them.
        for cover in covers where cover.isFolder { words += ["--remount-ro", cover.place] }
        words += ["--remount-ro", "/"]
        words += ["--chdir", directory, "--", program]
        return words + arguments
    }

    // MARK: Covers

    /// An empty folder over each folder, and an empty file over each file, that must not be seen and is
    /// in something that is shown, by its real path; and over what is shown from inside of such a folder.
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
        // The outer first, where one is in another: a cover has nothing in it to be covered again.
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

        /// Nil where there is nothing to cover.
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

    /// An empty folder whose files are in memory.
    fileprivate static func memory(_ place: String, _ bytes: Int) -> [String] {
        ["--size", "\(bytes)", "--tmpfs", place]
    }

    /// What follows a folder in a path that is the folder or is in it; by bytes, as the system does.
    private static func rest(of path: String, below folder: String) -> String? {
        let (path, folder) = (Array(path.utf8), Array(folder.utf8))
        guard path.starts(with: folder) else { return nil }
        let rest = path.dropFirst(folder.count)
        guard rest.isEmpty || rest.first == UInt8(ascii: "/") else { return nil }
        return String(decoding: rest, as: UTF8.self)
    }

    /// Through every link; what is not there stays as it is.
    private static func realPath(_ path: String) -> String {
        guard let real = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }

    /// What programs need of `/etc`; passwords and keys are not among it.
    private static let settings = [
        "/etc/alternatives", "/etc/ca-certificates", "/etc/crypto-policies", "/etc/group",
        "/etc/hosts", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d",
        "/etc/localtime", "/etc/nsswitch.conf", "/etc/passwd", "/etc/pki/ca-trust",
        "/etc/pki/tls/cert.pem", "/etc/pki/tls/certs", "/etc/pki/tls/openssl.cnf",
        "/etc/resolv.conf", "/etc/ssl/cert.pem", "/etc/ssl/certs", "/etc/ssl/openssl.cnf",
    ]

    /// Where machines keep keys and passwords, below `/usr` or what an admin may have named.
    private static let secrets = [
        "/etc/gshadow", "/etc/pki/tls/private", "/etc/shadow", "/etc/ssl/private",
        "/usr/local/etc", "/usr/local/private", "/usr/local/var",
    ]
}
