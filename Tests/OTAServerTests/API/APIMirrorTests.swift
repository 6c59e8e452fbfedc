import APIDocuments
import Access
import Administration
import Bundles
import Foundation
import GitRepositories
import Identifiers
import MirrorBuilds
import Mirrors
import NIOCore
import OTAServer
import Releases
import Store
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct APIMirrorTests {
    private static let hostile = [
        ("/srv/repository.git", "mirror.bad-address"),
        ("file:///srv/repository.git", "mirror.bad-address"),
        ("../repository.git", "mirror.bad-address"),
        ("ext::sh -c touch% x", "mirror.bad-address"),
        ("--upload-pack=touch", "mirror.bad-address"),
        ("http://example.com/x.git", "mirror.bad-address"),
        ("https://ana:secret@example.com/x.git", "mirror.bad-address"),
        ("https://127.0.0.1/x.git", "mirror.inside-address"),
        ("https://[::1]:8443/x.git", "mirror.bad-address"),
        ("https://10.0.0.7/x.git", "mirror.inside-address"),
        ("https://localhost/x.git", "mirror.inside-address"),
        ("https://git.localhost./x.git", "mirror.inside-address"),
        ("https://169.254.169.254/latest.git", "mirror.inside-address"),
        ("https://2130706433/x.git", "mirror.inside-address"),
        ("https://0x7f.1/x.git", "mirror.inside-address"),
        ("https://0177.0.0.1/x.git", "mirror.inside-address"),
        ("git@192.168.1.2:team/x.git", "mirror.inside-address"),
        ("https://[fe80:0:0:0:0:0:0:1]/x.git", "mirror.inside-address"),
    ]

    @Test func `an address reaches neither into the machine nor into its network`() async throws {
        try await TestSite.run { site in
            let admin = try APIClient.holding("admin", on: site)
            let good = #"{"name": "good", "address": "https://example.com/x.git", "paused": true}"#
            #expect(try await admin.post("/mirrors", good).status == 201)
            for (address, id) in Self.hostile {
                func body(_ name: String?) throws -> String {
                    var keys = ["address": address]
                    keys["name"] = name
                    return String(decoding: try JSONEncoder().encode(keys), as: UTF8.self)
                }
                let added = try await admin.post("/mirrors", body("demo"))
                #expect(added.status == 422 && added.refusal == id, "\(address)")
                let changed = try await admin.send("PATCH", "/api/v1/mirrors/good", body(nil))
                #expect(changed.status == 422 && changed.refusal == id, "\(address)")
            }
            #expect(try site.store.mirrors().mirrors.count == 1)
            let kept = try site.store.mirror(named: "good")
            #expect(kept.address.description == "https://example.com/x.git")
        }
    }

    @Test func `who says so may name a machine near the server, and never what no git host is`()
        async throws
    {
        try await TestSite.run { site in
            let admin = try APIClient.holding("admin", on: site)
            func add(_ address: String, _ more: String) async throws -> APIResponse {
                try await admin.post(
                    "/mirrors",
                    #"{"name": "demo", "paused": true, "address": "\#(address)"\#(more)}"#,
                )
            }
            let near = "https://10.0.0.7/x.git"
            #expect(try await add(near, #", "allowFile": true"#).refusal == "request.malformed")
            let metadata = "https://169.254.169.254/x.git"
            let never = try await add(metadata, #", "allowPrivate": true"#)
            #expect(never.refusal == "mirror.inside-address")
            let added = try await add(near, #", "allowPrivate": true"#)
            #expect(added.status == 201)
            #expect(added.wire.fields["location"]?.hasSuffix("/api/v1/mirrors/demo") == true)
            #expect(try await add(near, #", "allowPrivate": true"#).refusal == "mirror.name-taken")
            #expect(try await admin.get("/mirrors/Demo").refusal == "mirror.unknown")
            #expect(try await admin.post("/mirrors/demo/sync").refusal == "mirror.paused")
            #expect(try await admin.post("/mirrors/demo/builds").refusal == "mirror.paused")
        }
    }

    @Test func `secrets are taken and never told`() async throws {
        try await TestSite.run { site in
            let admin = try APIClient.holding("admin", on: site)
            let secrets = [
                "variables": #"{"API_KEY": "tell-nobody-1"}"#,
                "passwords": #""https://ana:tell-nobody-2@example.com""#,
                "sshKey": #""-----BEGIN PRIVATE KEY-----\ntell-nobody-3""#,
                "knownHosts": #""example.com ssh-ed25519 tell-nobody-4""#,
                "hookSecret": #""tell-nobody-5-long-enough""#,
            ].map { #""\#($0.key)": \#($0.value)"# }.joined(separator: ", ")
            var answers = [
                try await admin.post(
                    "/mirrors",
                    #"{"name": "demo", "address": "git@example.com:a/b.git", "paused": true, "#
                        + #""secrets": {\#(secrets)}}"#,
                )
            ]
            #expect(answers[0].status == 201)
            let kept = try site.store.secrets(of: #require(Slug("demo")))
            #expect(kept.variables == ["API_KEY": "tell-nobody-1"])
            #expect(
                kept.hook == "tell-nobody-5-long-enough"
                    && kept.key?.hasSuffix("tell-nobody-3") == true
            )
            let mirror = "/api/v1/mirrors/demo"
            answers.append(try await admin.send("PATCH", mirror, #"{"interval": 60}"#))
            answers.append(try await admin.get("/mirrors"))
            answers.append(try await admin.get("/mirrors/demo"))
            answers.append(try await admin.get("/activity"))
            for body in [
                #"{"secrets": {"variables": {"API_KEY": "x"}}}"#,
                #"{"secrets": {"variables": {"OTA_TOKEN": "tell-nobody-6"}}}"#,
                #"{"secrets": {"hookSecret": "tell-nobody-7"}}"#,
            ] {
                let refused = try await admin.send("PATCH", mirror, body)
                #expect(refused.status == 422)
                answers.append(refused)
            }
            let strange = try await admin.send("PATCH", mirror, #"{"secrets": {"key": "x"}}"#)
            #expect(strange.status == 400, "a misspelled key is not passed over")
            for answer in answers { #expect(!answer.wire.text.contains("tell-nobody")) }
            #expect(try await !site.logText().contains("tell-nobody"))
            let shown = try answers[3].document(MirrorDetailDocument.self).mirror
            #expect(shown.variables == ["API_KEY"] && shown.hasHookSecret && shown.interval == 60)
            let none = try await admin.send(
                "PATCH",
                mirror,
                #"{"interval": 0, "secrets": {"hookSecret": "", "variables": {}}}"#,
            )
            let left = try none.document(MirrorEntryDocument.self).mirror
            #expect(left.variables.isEmpty && !left.hasHookSecret && left.interval == nil)
        }
    }

    @Test func `bad settings change nothing`() async throws {
        try await TestSite.run { site in
            let admin = try APIClient.holding("admin", on: site)
            _ = try await admin.post(
                "/mirrors",
                #"{"name": "demo", "address": "https://example.com/x.git", "paused": true}"#,
            )
            let before = try site.store.mirror(named: "demo")
            for (body, status) in [
                (#"{"interval": 1}"#, 422), (#"{"interval": -1}"#, 422),
                (#"{"interval": 1.5}"#, 400), (#"{"tags": []}"#, 422),
                (#"{"tags": ["-x"]}"#, 400), (#"{"pipelinePath": "../x"}"#, 422),
                (#"{"pipelinePath": "/etc/passwd"}"#, 422), (#"{"pipeline": "steps: 5"}"#, 422),
                (#"{"user": "nobody at all"}"#, 422), (#"{"isolation": "chroot"}"#, 400),
                (#"{"prefix": "--x"}"#, 422), (#"{"sizeLimit": 0}"#, 422),
                (#"{"memoryLimit": 1}"#, 422), (#"{"timeLimit": 99999999}"#, 422),
                (#"{"name": "other"}"#, 400),
            ] {
                let answer = try await admin.send("PATCH", "/api/v1/mirrors/demo", body)
                #expect(answer.status == status && answer.refusal != nil, "\(body)")
            }
            #expect(try site.store.mirror(named: "demo") == before)
        }
    }

    @Test func `a log is followed until its build has ended, or the token's right has`()
        async throws
    {
        try await TestSite.run { site in
            let (admin, work) = try await Self.follow("sleep 600", on: site)
            let started = try await admin.post("/mirrors/demo/builds", #"{"tag": "v1.0.0"}"#)
            #expect(started.status == 201)
            let log = "/mirrors/demo/builds/1/log"
            #expect(started.wire.fields["location"]?.hasSuffix("/mirrors/demo/builds/1") == true)
            let piece = try await Self.eventually { () -> APIResponse? in
                let piece = try await admin.get(log)
                return piece.wire.text.contains("begun") ? piece : nil
            }
            #expect(piece.wire.fields["log-complete"] == "?0")
            #expect(piece.wire.fields["content-type"] == "text/plain; charset=utf-8")
            let rest = try await admin.get(log + "?offset=\(piece.wire.body.count)")
            #expect(rest.wire.body.isEmpty)
            let queue = try await admin.get("/queue").document(RunsDocument.self)
            #expect(queue.builds.map(\.state) == [.running])

            let other = try APIClient.holding("admin", on: site)
            let name = try #require(try site.store.tokens().tokens.last?.name)
            let cut = try await Self.read(log + "?follow=true", as: other, on: site) {
                try site.store.changeTokens { try $0.revoke(name, at: Date()) }
            }
            #expect(cut.contains("begun") && !cut.contains("cancelled"))

            let whole = try await Self.read(log + "?follow=true", as: admin, on: site) {
                let answer = try await admin.post("/mirrors/demo/builds/1/cancel")
                #expect(answer.status == 200)
            }
            #expect(whole.contains("cancelled by"))
            let asked = try site.store.activity(count: 20).filter {
                [.buildAsked, .buildCancelled].contains($0.event)
            }
            #expect(asked.map(\.event) == [.buildCancelled, .buildAsked])
            #expect(asked.allSatisfy { $0.actor.hasPrefix("token ") && $0.subject == "demo" })
            let again = try await admin.post("/mirrors/demo/builds/1/cancel")
            #expect(again.refusal == "mirror.build-is-over")
            let all = try await admin.get(log)
            #expect(all.wire.fields["log-complete"] == "?1")
            #expect(try await admin.get("/mirrors/demo/builds/9/log").refusal == "mirror.no-build")
            #expect(try await admin.get("/mirrors/demo/builds/1").status == 200)
            for number in ["x", "01", "+1", "%2B1", "0"] {
                let answer = try await admin.get("/mirrors/demo/builds/\(number)")
                #expect(answer.status == 404 && answer.refusal == "request.not-found", "\(number)")
            }
            #expect(try await admin.get("/mirrors/demo/builds?limit=1").status == 200)
            withExtendedLifetime(work) {}
        }
    }

    @Test func `who may not administrate finds no mirror`() async throws {
        try await TestSite.run { site in
            let reader = try APIClient.holding("read", "publish", on: site)
            for path in ["/mirrors", "/mirrors/demo", "/queue", "/mirrors/demo/builds/1/log"] {
                #expect(try await reader.get(path).status == 403)
            }
            #expect(try await reader.post("/mirrors/demo/sync").status == 403)
        }
    }

    // MARK: Parts

    /// A mirror of a repository with one tag, which the server has synced.
    private static func follow(
        _ command: String,
        on site: TestSite,
    ) async throws -> (APIClient, TestRepository) {
        let work = try await TestRepository(at: site.folder.appending(path: "work"))
        let pipeline = "steps:\n  - name: go\n    run: echo begun; \(command)\n"
        try await work.commit("Begin", [".ota/pipeline.yml": pipeline])
        try await work.git("tag", "v1.0.0")
        var settings = MirrorChange()
        settings.address = work.path
        settings.allowFile = true
        let local = LocalAdministration(
            Administrator(of: site.store, named: "test", clock: { Date() })
        )
        _ = try local.perform(AddMirror(NewMirror(name: "demo", settings: settings)))
        let admin = try APIClient.holding("admin", on: site)
        let asked = try await admin.post("/mirrors/demo/sync").document(SyncRequestDocument.self)
        _ = try await eventually { () -> Bool? in
            let found = try await admin.get("/mirrors/demo").document(MirrorDetailDocument.self)
            return (found.mirror.answered ?? 0) >= asked.sync ? true : nil
        }
        return (admin, work)
    }

    /// Reads a stream to its end, while `body` does what ends it.
    private static func read(
        _ path: String,
        as reader: APIClient,
        on site: TestSite,
        _ body: () async throws -> Void,
    ) async throws -> String {
        try await WireClient.secure(site) { client in
            try await client.send(
                "GET /api/v1\(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                    + "Authorization: Bearer \(reader.secret ?? "")\r\n\r\n"
            )
            #expect(try await client.responseHead().status == 200)
            while !String(decoding: client.buffer.readableBytesView, as: UTF8.self)
                .contains("begun")
            {
                try #require(await client.more())
            }
            try await body()
            return String(decoding: await client.rest(), as: UTF8.self)
        }
    }

    private static func eventually<Value>(
        _ look: () async throws -> Value?
    ) async throws -> Value {
        while true {
            if let found = try await look() { return found }
            try await Task.sleep(for: .milliseconds(200))
        }
    }
}
