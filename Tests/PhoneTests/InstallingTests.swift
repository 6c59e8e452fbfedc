import Cryptography
import Foundation
import NIOHTTP1
import Phone
import PropertyLists
import Testing

@Suite(.serialized) struct InstallingTests {
    @Test func `a good server ends with the same bytes`() async throws {
        let site = try TestSite()
        let outcome = try await install(from: site)
        #expect(outcome.attempt.installs)
        #expect(outcome.faults == [])
        #expect(outcome.arrived == site.archive)
        #expect(outcome.attempt.installation?.sha256 == SHA256Digest(of: site.archive))
        #expect(outcome.attempt.installation?.bundleIdentifier == "com.example.orchard")
        #expect(outcome.attempt.installation?.version == "1.2")
        #expect(outcome.attempt.installation?.build == "7")
        let passed = outcome.attempt.steps.filter { $0.outcome == .passed }.map(\.name)
        #expect(passed == StepName.installing.filter { $0 != .profile })
    }

    @Test func `the page is asked for by Safari and the rest by the installer`() async throws {
        let outcome = try await install(from: TestSite())
        let agents = outcome.requests.map { $0.headers.first(name: "User-Agent") ?? "" }
        #expect(agents.first?.contains("Mobile/15E148 Safari") == true)
        #expect(agents.dropFirst().allSatisfy { $0.hasPrefix("com.apple.appstored/1.0 iOS/18.1") })
        let asked = outcome.requests.map { "\($0.method) \($0.path)" }
        #expect(
            asked == [
                "GET /", "GET /manifest.plist", "GET /icon-57.png", "GET /icon-512.png",
                "HEAD /app.ipa", "GET /app.ipa", "GET /app.ipa",
            ]
        )
    }

    @Test func `three cuts are resumed and the bytes are exact`() async throws {
        let site = try TestSite()
        let outcome = try await install(from: site) { $0.cuts = [1, 100_000, 250_001] }
        #expect(outcome.attempt.installs)
        #expect(outcome.arrived == site.archive)
        #expect(outcome.attempt.installation?.resumptions == 3)
        let ranges = outcome.requests.compactMap { $0.headers.first(name: "Range") }
        #expect(ranges == ["bytes=0-0", "bytes=1-", "bytes=100000-", "bytes=250001-"])
        #expect(outcome.requests.last?.headers.first(name: "If-Range") == "\"a1\"")
    }

    @Test func `a cut without a validator starts over and is right`() async throws {
        var site = try TestSite()
        site.tag = nil
        let outcome = try await install(from: site) { $0.cuts = [70_000] }
        #expect(outcome.attempt.installs)
        #expect(outcome.arrived == site.archive)
        #expect(outcome.faults == [.archiveNoTag])
    }

    @Test func `a link and a manifest's address do as well as a page`() async throws {
        let link = "itms-services://?action=download-manifest&url=BASE/manifest.plist"
        #expect(try await install(from: TestSite(), path: link).attempt.installs)
        #expect(try await install(from: TestSite(), path: "/manifest.plist").attempt.installs)
        var site = try TestSite()
        let served = site
        site.replies["GET /m"] = { request in
            ScriptedReply(
                headers: [("Content-Type", "text/xml")],
                body: served.manifest(base: request.base).xml(),
            )
        }
        #expect(try await install(from: site, path: "/m").attempt.installs)
    }

    @Test func `an address does as well as a name`() async throws {
        let outcome = try await install(from: TestSite(), host: "127.0.0.1")
        #expect(outcome.attempt.installs)
    }

    @Test func `the page may redirect five times and no more`() async throws {
        var site = try TestSite()
        for hop in 1...6 {
            let next = hop == 1 ? "/" : "/hop\(hop - 1)"
            site.replies["GET /hop\(hop)"] = { _ in .redirect(to: next) }
        }
        #expect(try await install(from: site, path: "/hop5").attempt.installs)
        let outcome = try await install(from: site, path: "/hop6")
        #expect(outcome.fatal == [.pageRedirects])
    }

    @Test func `steps are told as they end and skipped ones at the end`() async throws {
        var site = try TestSite()
        site.replies["GET /manifest.plist"] = { _ in ScriptedReply(status: .notFound) }
        let outcome = try await install(from: site)
        #expect(outcome.attempt.failure?.name == .manifest)
        let skipped = outcome.attempt.steps.filter { $0.outcome == .skipped }.map(\.name)
        #expect(
            skipped == [
                .offer, .icons, .archive, .ranges, .download, .digests, .identity, .compatibility,
            ]
        )
    }

    @Test func `the JSON carries the contract's keys`() async throws {
        let outcome = try await install(from: TestSite())
        let data = try JSONEncoder().encode(outcome.attempt)
        let object = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(object["schema"] as? Int == 1)
        #expect(object["installs"] as? Bool == true)
        let steps = try #require(object["steps"] as? [[String: Any]])
        #expect(
            steps.allSatisfy {
                Set($0.keys).isSuperset(of: ["id", "title", "outcome", "detail", "shown", "fix"])
            }
        )
        #expect(steps.first?["id"] as? String == "connection")
    }
}
