import Foundation
import TestSupport
import Testing

/// Repositories over HTTPS, as `ota mirror` fetches them: real TLS, and credentials that reach only their
/// host.
@Suite(.timeLimit(.minutes(10)))
struct HTTPSRepositoryTests {
    /// The password as it is, and percent-encoded as in a URL.
    private static let forms = [
        GitHost.secret, "glpat-3f%2F9%20%2B8d%3Fe7c6b5a4", "glpat-3f%2f9%20%2b8d%3fe7c6b5a4",
    ]

    @Test(.enabled(if: GitHost.isHere))
    func `a private repository over https needs its token and its authority, and keeps both`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let room = try await RepositoryRoom(in: folder)
            try await GitHost.run(in: room.host) { host in
                let address = host.address("app.git")
                let added = try await room.mirror(
                    "add",
                    "app",
                    address,
                    "--credential-file",
                    host.token.path(),
                    "--repository-ca-file",
                    host.authority.path(),
                )
                #expect(added.status == 0, "\(added.errors)")
                let built = try await room.mirror("build", "app", "--branch", "main")
                #expect(built.status == 0 && built.output.contains("succeeded"), "\(built.errors)")
                let log = try await room.mirror("logs", "app").output
                #expect(log.contains("\nbuilt\n"))
                let shown = try await room.mirror("show", "app", "--json").output
                for form in Self.forms {
                    #expect(!(log + shown + added.output + added.errors).contains(form))
                }
                // The password is only in its file; the copy for git has been deleted.
                let places = try room.places(of: Self.forms[0])
                #expect(places.contains("keys/mirror-app.json"))
                #expect(places.allSatisfy { $0.hasPrefix("keys/mirror-app.json") }, "\(places)")
                #expect(try room.places(of: Self.forms[1], Self.forms[2]).isEmpty)
                let requests = try host.requests()
                #expect(requests.contains { $0.hasSuffix("200 with") }, "\(requests)")
                #expect(
                    !requests.contains { request in Self.forms.contains(where: request.contains) }
                )
            }
        }
    }

    @Test(
        .enabled(
            if: GitHost.isHere && FileManager.default.isExecutableFile(atPath: "/usr/bin/strace")
        )
    )
    func `no argument and no variable of any program has the token in it`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await RepositoryRoom(in: folder)
            try await GitHost.run(in: room.host) { host in
                let trace = folder.appending(path: "trace").path()
                let added = try await Program(path: "/usr/bin/strace").run(
                    [
                        "-f", "-qq", "-v", "-s", "100000", "-e", "trace=execve", "-o", trace,
                        room.ota.path, "mirror", "add", "app", host.address("app.git"),
                        "--credential-file", host.token.path(),
                        "--repository-ca-file", host.authority.path(),
                    ],
                    environment: ["OTA_STORE": "./store"],
                    in: folder,
                )
                #expect(added.status == 0, "\(added.errors)")
                let text = try String(contentsOfFile: trace, encoding: .utf8)
                #expect(text.contains("git-remote-https") && text.contains("credential-store"))
                for form in Self.forms { #expect(!text.contains(form), "\(form)") }
            }
        }
    }

    @Test(.enabled(if: GitHost.isHere))
    func `without its token or its authority a repository is refused, and nobody is asked`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let room = try await RepositoryRoom(in: folder)
            try await GitHost.run(in: room.host) { host in
                let address = host.address("app.git")
                let strange = try await room.mirror(
                    "add",
                    "strange",
                    address,
                    "--credential-file",
                    host.token.path(),
                )
                #expect(strange.status == 1)
                #expect(strange.errors.contains("certificate"), "\(strange.errors)")
                // A host with an untrusted certificate receives no request.
                #expect(try host.requests().isEmpty)

                let authority = host.authority.path()
                let nobody = try await room.mirror(
                    "add",
                    "nobody",
                    address,
                    "--repository-ca-file",
                    authority,
                )
                #expect(nobody.status == 1)
                #expect(nobody.errors.contains("could not read Username"), "\(nobody.errors)")
                let wrong = folder.appending(path: "wrong").path()
                try Data("not the token".utf8).write(to: URL(filePath: wrong))
                let adding = [
                    "mirror", "add", "denied", address, "--repository-ca-file", authority,
                    "--credential-file", wrong,
                ]
                let denied = try await room.run(adding)
                #expect(denied.status == 1)
                #expect(denied.errors.contains("Authentication failed"), "\(denied.errors)")
                #expect(!denied.errors.contains("not%20the"))

                // Credentials that were rejected are kept, since the host may have been at fault.
                let followed = try await room.run(adding + ["--no-sync"])
                #expect(followed.status == 0, "\(followed.errors)")
                for _ in 0..<2 {
                    let again = try await room.mirror("sync", "denied")
                    #expect(again.errors.contains("Authentication failed"), "\(again.errors)")
                }
                let repaired = try await room.mirror(
                    "set",
                    "denied",
                    "--credential-file",
                    host.token.path(),
                )
                #expect(repaired.status == 0)
                #expect(try await room.mirror("sync", "denied").status == 0)

                let led = try await room.mirror(
                    "add",
                    "led",
                    host.address("elsewhere/app.git"),
                    "--credential-file",
                    host.token.path(),
                    "--repository-ca-file",
                    authority,
                )
                #expect(led.status == 1)
                #expect(
                    led.errors.contains("answered with a redirect (status 302)"),
                    "\(led.errors)",
                )
                #expect(led.errors.contains("give the address that it leads to"), "\(led.errors)")
            }
        }
    }

    @Test(.enabled(if: GitHost.isHere && ForwardProxy.isHere, "tinyproxy is not on this machine"))
    func `a repository is fetched by the proxy that the environment names`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await RepositoryRoom(in: folder)
            try await GitHost.run(in: room.host) { host in
                try await ForwardProxy.run(in: folder) { proxy in
                    let direct = try await room.mirror(
                        "add",
                        "app",
                        host.address("app.git"),
                        "--credential-file",
                        host.token.path(),
                        "--repository-ca-file",
                        host.authority.path(),
                    )
                    #expect(direct.status == 0, "\(direct.errors)")
                    #expect(try proxy.requests().isEmpty)
                    let cases: [(variables: [String: String], isLed: Bool)] = [
                        (["HTTPS_PROXY": proxy.url], true), (["https_proxy": proxy.url], true),
                        (["ALL_PROXY": proxy.url], true), (["all_proxy": proxy.url], true),
                        (["ALL_PROXY": proxy.url, "HTTPS_PROXY": ""], true),
                        (["ALL_PROXY": proxy.url, "NO_PROXY": "127.0.0.1"], false),
                        (["HTTP_PROXY": proxy.url], false),
                    ]
                    for (variables, isLed) in cases {
                        let before = try proxy.requests().count
                        let synced = try await room.run(["mirror", "sync", "app"], in: variables)
                        #expect(synced.status == 0, "\(variables): \(synced.errors)")
                        let requests = try proxy.requests().dropFirst(before)
                        #expect(requests.isEmpty != isLed, "\(variables)")
                        #expect(requests.allSatisfy { $0 == "127.0.0.1:\(host.port)" })
                    }
                }
            }
        }
    }

    @Test(.enabled(if: GitHost.isHere))
    func `a submodule of the same server is fetched with the same token`() async throws {
        try await withTemporaryFolder { folder in
            let room = try await RepositoryRoom(in: folder)
            let commit = try await room.work.git("rev-parse", "HEAD")
            let library = room.host.appending(path: "library.git").path()
            try await TestRepository.git(
                ["clone", "--quiet", "--bare", room.work.path, library],
                in: folder,
            )
            try room.work.write(
                "[submodule \"library\"]\n\tpath = sub\n\turl = ../library.git\n",
                to: ".gitmodules",
            )
            try await room.work.git("add", ".gitmodules")
            try await room.work.git("update-index", "--add", "--cacheinfo", "160000,\(commit),sub")
            try await room.work.git("commit", "--quiet", "-m", "Add the library")
            try await room.work.git("push", "--quiet", "origin", "main")
            try await GitHost.run(in: room.host) { host in
                let added = try await room.mirror(
                    "add",
                    "app",
                    host.address("app.git"),
                    "--credential-file",
                    host.token.path(),
                    "--repository-ca-file",
                    host.authority.path(),
                    "--submodules",
                    "same-host",
                )
                #expect(added.status == 0, "\(added.errors)")
                let built = try await room.mirror("build", "app", "--branch", "main")
                #expect(built.status == 0, "\(built.output) \(built.errors)")
                let log = try await room.mirror("logs", "app").output
                #expect(log.contains("\n.git\n.ota\n"), "\(log)")
                let wanted = "GET /library.git/info/refs?service=git-upload-pack 200 with"
                #expect(try host.requests().contains(wanted))
            }
        }
    }
}
