import Foundation
import TestSupport
import Testing

/// A git host over SSH: `sshd` on a port of its own, with its own keys.
struct SSHHost: Sendable {
    let port: Int
    let folder: URL
    /// A private key that it accepts.
    var key: URL { folder.appending(path: "deploy") }
    /// A private key that it does not accept.
    var otherKey: URL { folder.appending(path: "other") }
    /// Its host key, in the format of known_hosts.
    var knownHosts: URL { folder.appending(path: "known_hosts") }
    /// Another host key under its name.
    var wrongHosts: URL { folder.appending(path: "wrong_hosts") }

    private static let daemon = "/usr/sbin/sshd"
    static let isHere = FileManager.default.isExecutableFile(atPath: daemon)

    func address(_ path: String) -> String {
        "ssh://\(NSUserName())@127.0.0.1:\(port)\(folder.path())\(path)"
    }

    func log() throws -> String {
        try String(contentsOf: folder.appending(path: "sshd.log"), encoding: .utf8)
    }

    /// Serves the repositories in `folder` while `body` runs.
    static func run(in folder: URL, _ body: (SSHHost) async throws -> Void) async throws {
        let host = SSHHost(port: try FreePort.any(), folder: folder)
        for name in ["host", "deploy", "other", "stranger"] {
            let made = try await Program(path: "/usr/bin/ssh-keygen").run(
                ["-q", "-t", "ed25519", "-N", "", "-C", "", "-f", folder.path() + name],
                in: folder,
            )
            try #require(made.status == 0, "\(made.errors)")
        }
        try host.write(try host.publicKey("deploy"), to: "authorized_keys")
        let name = "[127.0.0.1]:\(host.port) "
        try host.write(name + host.publicKey("host"), to: "known_hosts")
        try host.write(name + host.publicKey("stranger"), to: "wrong_hosts")
        try host.write(host.settings, to: "sshd_config")
        // The privilege separation folder, which only a daemon run by root needs.
        if getuid() == 0 {
            try FileManager.default.createDirectory(
                atPath: "/run/sshd",
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o755],
            )
        }
        // The daemon closes all descriptors, including the one by which Foundation notices a process's end; a
        // shell keeps that one open.
        let words = "trap 'kill $daemon' TERM; \(daemon) -D -e -f sshd_config & daemon=$!; wait"
        let server = try Program(path: "/bin/sh").start(
            ["-c", words.replacing("sshd_config", with: folder.path() + "sshd_config")],
            in: folder,
            errors: folder.appending(path: "sshd.log"),
        )
        defer { server.send(SIGTERM) }
        try await eventually(within: .seconds(10), "sshd listens") { FreePort.isTaken(host.port) }
        try await body(host)
    }

    private func publicKey(_ name: String) throws -> String {
        try String(contentsOf: folder.appending(path: name + ".pub"), encoding: .utf8)
    }

    private func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: folder.appending(path: name))
    }

    private var settings: String {
        """
        Port \(port)
        ListenAddress 127.0.0.1
        HostKey \(folder.path())host
        AuthorizedKeysFile \(folder.path())authorized_keys
        PidFile none
        UsePAM no
        StrictModes no
        PasswordAuthentication no
        KbdInteractiveAuthentication no
        PermitRootLogin prohibit-password
        LogLevel VERBOSE

        """
    }
}
