import API
import Access
import Foundation
import Identifiers
import Mirrors
import Runners
import Testing

/// Registration, rights, and which runner gets which stage.
@Suite(.timeLimit(.minutes(10)))
struct RunnerPollTests {
    @Test func `a code is worth a token, once`() async throws {
        try await RunnerSite.run { site in
            let code = try RunnerSite.add(
                "two",
                for: [site.mirror],
                labels: ["mac"],
                in: site.store,
            )
            let body = #"{"code": "\#(code)", "name": "two", "machine": \#(RunnerSite.machine)}"#
            func register() async throws -> WireResponse {
                try await site.send("POST", "/register", Array(body.utf8), token: "")
            }
            let answer = try await register()
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.json("labels") as? [String] == ["mac"])
            #expect(answer.json("mirrors") as? [String] == ["demo"])
            let token = try #require(answer.json("token") as? String)
            #expect(try await site.poll(token: token).status == 204)
            let again = try await register()
            #expect(again.status == 401 && again.errorID == "runner.wrong-code")
            let log = try await site.site.logText()
            #expect(!log.contains(token) && !log.contains(code))
        }
    }

    @Test func `who guesses codes has to wait`() async throws {
        try await RunnerSite.run { site in
            let code = try RunnerSite.add("two", for: [site.mirror], in: site.store)
            func register(_ code: String) async throws -> WireResponse {
                let body =
                    #"{"code": "\#(code)", "name": "two", "machine": \#(RunnerSite.machine)}"#
                return try await site.send("POST", "/register", Array(body.utf8), token: "")
            }
            var statuses: [Int] = []
            for digit in 0..<8 {
                let wrong = "otc_" + String(repeating: "\(digit)", count: 32)
                statuses.append(try await register(wrong).status)
            }
            #expect(statuses.prefix(5).allSatisfy { $0 == 401 } && statuses.last == 429)
            // The correct code has to wait too, and is valid afterwards.
            #expect(try await register(code).status == 429)
            site.site.clock.advance(by: 1000)
            #expect(try await register(code).status == 200)
        }
    }

    @Test func `a code expires`() async throws {
        try await RunnerSite.run { site in
            let code = try RunnerSite.add("two", for: [site.mirror], in: site.store)
            site.site.clock.advance(by: 3601)
            let body = #"{"code": "\#(code)", "name": "two", "machine": \#(RunnerSite.machine)}"#
            let answer = try await site.send("POST", "/register", Array(body.utf8), token: "")
            #expect(answer.status == 410 && answer.errorID == "runner.code-expired")
        }
    }

    @Test func `a runner's token opens its addresses alone, and no other token opens them`()
        async throws
    {
        try await RunnerSite.run { site in
            let admin = try APIClient.holding("admin", on: site.site)
            let runner = APIClient(site: site.site, secret: site.token)
            let addresses = APIRoutes.addresses.compactMap { address -> (String, String)? in
                let words = address.split(separator: " ")
                guard words.count == 2, words[0] != "OPTIONS", !address.hasSuffix("/update") else {
                    return nil
                }
                let path = words[1].split(separator: "/").map {
                    $0.hasPrefix("{") ? ($0 == "{mirror}" ? "demo" : "1") : String($0)
                }
                return (String(words[0]), "/" + path.joined(separator: "/"))
            }
            var count = 0
            for (method, path) in addresses {
                let body = ["GET", "HEAD", "DELETE"].contains(method) ? nil : "{}"
                if path.hasPrefix("/api/v1/runner/") {
                    guard !path.hasSuffix("/register") else { continue }
                    count += 1
                    let answer = try await admin.send(method, path, body)
                    #expect([401, 429].contains(answer.status), "\(path): \(answer.status)")
                } else {
                    let answer = try await runner.send(method, path, body)
                    #expect([401, 429].contains(answer.status), "\(path): \(answer.status)")
                }
            }
            #expect(count == 8)
            let refused = try await site.poll(token: "")
            #expect([401, 429].contains(refused.status))
            // The correct token works, even if others on its network guess.
            #expect(try await site.poll().status == 204)
        }
    }

    @Test func `a stage is offered with all that its agent needs, and the same again`() async throws
    {
        try await RunnerSite.run { site in
            #expect(try await site.poll().status == 204)
            try site.store.changeSecrets(of: site.mirror) { $0.variables = ["KEY": "secret-value"] }
            try site.offer(usesSecrets: true)
            let offer = try await site.poll()
            #expect(offer.status == 200, "\(offer.text)")
            #expect(offer.json("mirror") as? String == "demo" && offer.json("build") as? Int == 1)
            #expect(offer.json("attempt") as? Int == 1 && offer.json("resumes") as? Bool == false)
            #expect(offer.json("secrets", "KEY") as? String == "secret-value")
            #expect(offer.json("environment", "CI") as? String == "true")
            #expect(offer.json("limits", "logBytes") as? Int == 1000)
            #expect(offer.json("leaseSeconds") as? Int == 60)
            let steps = try #require(offer.json("steps") as? [[String: Any]])
            #expect(steps.first?["run"] as? String == "true")
            // The response was lost.
            let again = try await site.poll()
            #expect(again.json("attempt") as? Int == 1 && again.json("resumes") as? Bool == true)
            #expect(try site.stage().attempts.count == 1)
            #expect(try await !site.site.logText().contains("secret-value"))
        }
    }

    @Test func `who waits is given what comes, and one request of a runner waits`() async throws {
        try await RunnerSite.run { site in
            async let older = site.poll(wait: 55)
            try await Task.sleep(for: .milliseconds(300))
            async let newer = site.poll(wait: 55)
            #expect(try await older.status == 204)
            try site.offer()
            let offer = try await newer
            #expect(offer.status == 200 && offer.json("build") as? Int == 1)
            #expect(
                try await site.poll(
                    wait: 1,
                    token: try RunnerSite.register(
                        "two",
                        for: [site.mirror],
                        in: site.store,
                    ),
                ).status == 204
            )
            let odd = try await site.send("POST", "/poll?wait=3600")
            #expect(odd.status == 422 && odd.errorID == "runner.bad-report")
        }
    }

    @Test func `an agent that is killed while it waits is given nothing`() async throws {
        try await RunnerSite.run { site in
            let body = Array(#"{"machine": \#(RunnerSite.machine)}"#.utf8)
            let fields = [
                "Authorization": "Bearer \(site.token)", "Content-Length": "\(body.count)",
                "Content-Type": "application/json",
            ]
            try await WireClient.secure(site.site) { client in
                let head = UploadSite.head("POST", "/api/v1/runner/poll?wait=55", fields)
                try await client.send(Array(head.utf8) + body)
                try await Task.sleep(for: .milliseconds(500))
                await client.cut()
            }
            try await Task.sleep(for: .milliseconds(500))
            try site.offer()
            let one = try #require(Slug("one"))
            while try site.store.currentRunners()[one]?.isGone != true {
                try await Task.sleep(for: .milliseconds(100))
            }
            #expect(try site.stage().state == .offered)
            let two = try RunnerSite.register("two", for: [site.mirror], in: site.store)
            let offer = try await site.poll(wait: 20, token: two)
            #expect(offer.status == 200 && offer.json("attempt") as? Int == 1)
        }
    }

    @Test func `an attempt that its agent does not begin is offered again, and does not count`()
        async throws
    {
        try await RunnerSite.run { site in
            try site.offer()
            #expect(try await site.poll().status == 200)
            // A server that has just started gives a lease more time.
            site.site.clock.advance(by: 61)
            let two = try RunnerSite.register("two", for: [site.mirror], in: site.store)
            let offer = try await site.poll(wait: 20, token: two)
            #expect(offer.status == 200 && offer.json("attempt") as? Int == 1)
            #expect(try await site.beat().status == 410)
            #expect(try await site.beat(token: two).status == 200)
            #expect(try site.stage().attempts.map(\.runner.rawValue) == ["two"])
        }
    }

    @Test func `labels, mirrors and pauses are kept`() async throws {
        try await RunnerSite.run { site in
            let mac = try RunnerSite.register(
                "mac",
                for: [site.mirror],
                labels: ["mac"],
                in: site.store,
            )
            let other = try RunnerSite.register(
                "other",
                for: [#require(Slug("other"))],
                labels: ["mac"],
                in: site.store,
            )
            try site.offer(wanting: ["mac"])
            #expect(try await site.poll().status == 204)
            #expect(try await site.poll(token: other).status == 204)
            try site.store.changeRunners { try $0.change(#require(Slug("mac")), isPaused: true) }
            site.site.settle()
            #expect(try await site.poll(token: mac).status == 204)
            try site.store.changeRunners { try $0.change(#require(Slug("mac")), isPaused: false) }
            site.site.settle()
            #expect(try await site.poll(token: mac).status == 200)
            // Another runner's stage is refused like an ended one.
            let stranger = try await site.beat()
            #expect(stranger.status == 410 && stranger.errorID == "runner.lease-ended")
            #expect(try await site.beat(token: other).status == 410)
            #expect(try await site.beat(token: mac).status == 200)
        }
    }

    @Test func `a lease that is not heard of ends, and its holder hands in nothing`() async throws {
        try await RunnerSite.run { site in
            try site.offer()
            #expect(try await site.poll().status == 200)
            #expect(try await site.piece("log", Array("one\n".utf8), at: 0).status == 200)
            site.site.clock.advance(by: 130)
            let two = try RunnerSite.register("two", for: [site.mirror], in: site.store)
            let offer = try await site.poll(wait: 20, token: two)
            #expect(offer.status == 200 && offer.json("attempt") as? Int == 2)
            for answer in [
                try await site.beat(), try await site.piece("log", [1], at: 4),
                try await site.piece("archive", [1], at: 0), try await site.finish(nil),
                try await site.send(
                    "POST",
                    RunnerSite.path() + "/abandon",
                    Array("{\"reason\": \"\"}".utf8),
                ),
                try await site.send("GET", RunnerSite.path() + "/bundle"),
                try await site.send("GET", RunnerSite.path() + "/files"),
            ] {
                #expect(answer.status == 410 && answer.errorID == "runner.lease-ended")
            }
            #expect(try site.bytes(ofLog: 1, attempt: 1) == Array("one\n".utf8))
            #expect(try site.stage().attempts.first?.lost?.contains("60 s") == true)
            #expect(try await site.beat(attempt: 2, token: two).status == 200)
        }
    }

    @Test func `a runner that is removed is out at once, and its stage is another's`() async throws
    {
        try await RunnerSite.run { site in
            try site.offer()
            #expect(try await site.poll().status == 200)
            let two = try RunnerSite.register("two", for: [site.mirror], in: site.store)
            try site.store.removeRunner(try #require(Slug("one")))
            site.site.settle()
            let refused = try await site.beat()
            #expect(refused.status == 401 && refused.errorID == "runner.unknown-token")
            let offer = try await site.poll(wait: 20, token: two)
            #expect(offer.status == 200 && offer.json("attempt") as? Int == 2)
        }
    }

    @Test func `a runner that may no longer build for a mirror loses its stage`() async throws {
        try await RunnerSite.run { site in
            try site.store.changeSecrets(of: site.mirror) { $0.variables = ["KEY": "secret-value"] }
            try site.offer(usesSecrets: true)
            #expect(try await site.poll().status == 200)
            let other = try #require(Slug("other"))
            try site.store.changeRunners { try $0.change(#require(Slug("one")), mirrors: [other]) }
            site.site.settle()
            #expect(try await site.piece("log", [65], at: 0).status == 410)
            #expect(try await site.poll().status == 204)
            let stage = try site.stage()
            #expect(stage.state == .offered)
            #expect(stage.attempts.first?.lost == "runner one may no longer take this build")
        }
    }

    @Test func `a runner that may no longer build what is untrusted loses its stage`() async throws
    {
        try await RunnerSite.run { site in
            let one = try #require(Slug("one"))
            try site.store.changeRunners { try $0.change(one, references: .any) }
            try site.offer(isUntrusted: true)
            #expect(try await site.poll().status == 200)
            try site.store.changeRunners { try $0.change(one, references: .trusted) }
            site.site.settle()
            #expect(try await site.poll().status == 204)
            #expect(try site.stage().state == .offered)
        }
    }

    @Test func `what is given up is offered again, and then lost`() async throws {
        try await RunnerSite.run { site in
            try site.offer()
            let reason = Array(#"{"reason": "no disk\u001b"}"#.utf8)
            for attempt in 1...2 {
                #expect(try await site.poll().json("attempt") as? Int == attempt)
                let path = RunnerSite.path(attempt: attempt) + "/abandon"
                #expect(try await site.send("POST", path, reason).status == 200)
                #expect(try await site.send("POST", path, reason).status == 410)
            }
            let stage = try site.stage()
            #expect(stage.state == .lost)
            #expect(stage.reason?.hasPrefix("runner one abandoned the build: no disk") == true)
            #expect(stage.reason?.contains("\u{1B}") == false)
            #expect(try await site.poll().status == 204)
        }
    }
}
