import Bundles
import Foundation
import Identifiers
import OTAServer
import Phone
import Publishing
import Releases
import Sample
import Store
import Testing

/// Events that interrupt a phone's installation.
@Suite(.timeLimit(.minutes(10)))
struct InterruptionTests {
    private let now = Date()

    @Test func `a download that is cut three times ends with the same bytes`() async throws {
        try await LiveServer.run { server in
            let build = try await server.publish(large(server))
            let third = build.bytes.count / 3
            let phone = try await server.phone { $0.cuts = [1, third, 2 * third + 1] }
            let attempt = await phone.install(from: server.page(of: build))
            #expect(attempt.installs, "\(attempt.story)")
            let installation = try #require(attempt.installation)
            #expect(installation.resumptions == 3)
            #expect(Array(try Data(contentsOf: installation.file)) == build.bytes)
            #expect(!attempt.faultIDs.contains(.archiveChanged))
        }
    }

    @Test func `many phones at once all end with the same bytes`() async throws {
        try await LiveServer.run { server in
            let build = try await server.publish(large(server))
            let page = server.page(of: build)
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<6 {
                    let phone = try await server.phone {
                        $0.family = number.isMultiple(of: 2) ? .phone : .pad
                        $0.cuts = number > 3 ? [number * 100_000] : []
                    }
                    group.addTask { try await phone.bytes(from: page) == build.bytes }
                }
                for try await isSame in group { #expect(isSame) }
            }
        }
    }

    @Test func `a build withdrawn while its page is open is refused with the reason`() async throws
    {
        try await LiveServer.run { server in
            let build = try await server.publish(small(server))
            let phone = try await server.phone()
            let browser = try Browser(like: phone)
            let open = try await Manifest.on(server.page(of: build), browser)

            try server.store.withdraw(
                build.release.identifier,
                of: build.release.bundleIdentifier,
                as: Release.Withdrawal(date: now, actor: "tests", reason: "it loses bookmarks"),
            )
            for url in [open.url, open.archive] + open.assets.values {
                try await eventually("\(url) is gone") { try await browser.get(url).status == 410 }
            }
            #expect(try await browser.get(open.archive).text.contains("it loses bookmarks"))
            let attempt = await phone.install(from: open.url)
            #expect(!attempt.installs)
            #expect(attempt.failure?.name == .manifest)
            #expect(attempt.faultIDs.contains(.manifestStatus), "\(attempt.story)")
            let page = try await browser.get(server.page(of: build))
            #expect(page.text.contains("it loses bookmarks"), "\(page.status)")
            #expect(!page.text.contains("itms-services"))

            try server.store.restoreRelease(
                build.release.identifier,
                of: build.release.bundleIdentifier,
                by: "tests",
                at: now,
            )
            try await eventually("the old link works again") {
                try await browser.get(open.url).status == 200
            }
            #expect(try await phone.bytes(from: open.url) == build.bytes)
        }
    }

    @Test func `bytes replaced under an open page are never mixed`() async throws {
        try await LiveServer.run { server in
            let first = try await server.publish(small(server))
            let phone = try await server.phone()
            let browser = try Browser(like: phone)
            let open = try await Manifest.on(server.page(of: first), browser)

            let second = try await server.publish(
                small(server).resource(.text("new.txt", "other bytes")),
                replace: true,
            )
            #expect(first.bytes != second.bytes)
            #expect(first.release.identifier == second.release.identifier)
            try await eventually("the old link is gone") {
                try await browser.get(open.archive).status == 410
            }
            #expect(await !phone.install(from: open.url).installs)
            try await eventually("the page offers the new bytes") {
                let url = try await Manifest.url(on: server.page(of: first), browser)
                return url != nil && url != open.url
            }
            #expect(try await phone.bytes(from: server.page(of: first)) == second.bytes)
        }
    }

    @Test func `a link that is too old says so, and a new page has a fresh one`() async throws {
        let clock = MovableClock()
        try await LiveServer.run(configure: { $0.clock = { clock.now } }) { server in
            let build = try await server.publish(small(server))
            let phone = try await server.phone()
            let browser = try Browser(like: phone)
            let open = try await Manifest.on(server.page(of: build), browser)
            clock.advance(by: 2 * 3600)
            try await eventually("the manifest is gone") {
                try await browser.get(open.url).status == 410
            }
            let gone = try await browser.get(open.archive)
            #expect(gone.status == 410)
            #expect(gone.text.contains("expired"))
            #expect(await !phone.install(from: open.url).installs)
            try await eventually("the page has a fresh link") {
                let url = try await Manifest.url(on: server.page(of: build), browser)
                return url != nil && url != open.url
            }
            #expect(try await phone.bytes(from: server.page(of: build)) == build.bytes)
        }
    }

    @Test func `a link with any character changed opens nothing`() async throws {
        try await LiveServer.run { server in
            let build = try await server.publish(small(server))
            let phone = try await server.phone()
            let browser = try Browser(like: phone)
            let open = try await Manifest.on(server.page(of: build), browser)
            let parts = open.url.split(separator: "/", omittingEmptySubsequences: false)
            let capability = Array(try #require(parts.dropLast().last))
            for place in stride(from: 0, to: capability.count, by: 7) {
                var changed = capability
                changed[place] = changed[place] == "A" ? "B" : "A"
                let url = open.url.replacing(String(capability), with: String(changed))
                let answer = try await browser.get(url)
                #expect(answer.status == 404, "character \(place)")
                #expect(!answer.text.contains("Browsey"))
            }
            let other = try await server.publish(
                SampleApps.pare(by: server.authority, at: now).editing { $0.app.hasIcon = false }
            )
            let name =
                try await Manifest.on(server.page(of: other), browser).archive
                .split(separator: "/").last ?? ""
            let mixed = "\(server.base)/install/\(String(capability))/\(name)"
            #expect(try await browser.get(mixed).status == 404)
        }
    }

    private func small(_ server: LiveServer) -> IPABuilder {
        SampleApps.browsey(by: server.authority, at: now).editing { $0.app.hasIcon = false }
    }

    private func large(_ server: LiveServer) -> IPABuilder {
        small(server).resource(.noise("Media.mov", count: 4 << 20))
    }
}
