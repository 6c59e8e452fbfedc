import Foundation
import TestSupport
import Testing

/// Repositories over SSH, as `ota mirror` fetches them: a real `sshd`, and keys on both sides.
@Suite(.timeLimit(.minutes(10)))
struct SSHRepositoryTests {
    @Test(.enabled(if: SSHHost.isHere))
    func `a repository over ssh is fetched with its deploy key from the host that is known`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let room = try await RepositoryRoom(in: folder)
            try await SSHHost.run(in: room.host) { host in
                let address = host.address("app.git")
                let added = try await room.mirror(
                    "add",
                    "app",
                    address,
                    "--ssh-key",
                    host.key.path(),
                    "--known-hosts",
                    host.knownHosts.path(),
                )
                #expect(added.status == 0, "\(added.errors)")
                let built = try await room.mirror("build", "app", "--branch", "main")
                #expect(built.status == 0, "\(built.errors)")
                #expect(try await room.mirror("logs", "app").output.contains("\nbuilt\n"))
                let line = try String(contentsOf: host.key, encoding: .utf8)
                    .split(separator: "\n")[1]
                let places = try room.places(of: String(line))
                #expect(places.contains("keys/mirror-app.json"))
                #expect(places.allSatisfy { $0.hasPrefix("keys/mirror-app.json") }, "\(places)")
            }
        }
    }

    @Test(.enabled(if: SSHHost.isHere))
    func `another host's key, or another client's, ends it before anything is fetched`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let room = try await RepositoryRoom(in: folder)
            try await SSHHost.run(in: room.host) { host in
                let address = host.address("app.git")
                for (name, hosts) in [
                    ("changed", host.wrongHosts.path()), ("unknown", "/dev/null"),
                ] {
                    let refused = try await room.mirror(
                        "add",
                        name,
                        address,
                        "--ssh-key",
                        host.key.path(),
                        "--known-hosts",
                        hosts,
                    )
                    #expect(refused.status == 1, "\(name)")
                    #expect(
                        refused.errors.contains("Host key verification failed"),
                        "\(refused.errors)",
                    )
                }
                // The client did not even offer its key.
                let log = try host.log()
                #expect(!log.contains("publickey"), "\(log)")
                let denied = try await room.mirror(
                    "add",
                    "denied",
                    address,
                    "--ssh-key",
                    host.otherKey.path(),
                    "--known-hosts",
                    host.knownHosts.path(),
                )
                #expect(denied.status == 1)
                #expect(
                    denied.errors.contains("Permission denied (publickey)"),
                    "\(denied.errors)",
                )
            }
        }
    }
}
