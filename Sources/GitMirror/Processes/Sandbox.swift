import Foundation

/// Namespaces around a program: no process, no file and, if wanted, no network but its own.
struct Sandbox: Sendable {
    /// The folder that it may write; everything else that it sees is the system's, for reading.
    let folder: String
    let allowsNetwork: Bool

    /// Where `bwrap` is; nil when it is not installed.
    static var executable: String? {
        ["/usr/bin/bwrap", "/usr/local/bin/bwrap", "/bin/bwrap"]
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// The arguments of `bwrap` that lead to a program.
    func arguments(for program: String, _ arguments: [String], in directory: String) -> [String] {
        var words = ["--unshare-all", "--die-with-parent", "--new-session"]
        if allowsNetwork { words.append("--share-net") }
        for path in ["/usr", "/opt"] { words += ["--ro-bind-try", path, path] }
        for path in ["/bin", "/sbin", "/lib", "/lib64", "/lib32"] {
            if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) {
                words += ["--symlink", target, path]
            } else {
                words += ["--ro-bind-try", path, path]
            }
        }
        for path in Self.settings { words += ["--ro-bind-try", path, path] }
        words += ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--tmpfs", "/var/tmp"]
        words += ["--bind", folder, folder, "--chdir", directory, "--", program]
        return words + arguments
    }

    /// What programs need of `/etc`; passwords and keys are not among it.
    private static let settings = [
        "/etc/alternatives", "/etc/ca-certificates", "/etc/group", "/etc/hosts",
        "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime",
        "/etc/nsswitch.conf", "/etc/passwd", "/etc/pki", "/etc/resolv.conf", "/etc/ssl",
    ]
}
