import Foundation
import NIOHTTP1
import Phone
import PropertyLists
import Testing

@Suite(.serialized) struct ManifestTests {
    private static func fatal(_ change: (inout TestSite) -> Void) async throws -> [FaultID] {
        try await outcome(change).fatal
    }

    private static func outcome(_ change: (inout TestSite) -> Void) async throws -> Outcome {
        var site = try TestSite()
        change(&site)
        return try await install(from: site)
    }

    private static func served(_ text: String, as type: String = "text/xml") -> TestChange {
        { $0.replies["GET /manifest.plist"] = { _ in .text(text, type: type) } }
    }

    typealias TestChange = (inout TestSite) -> Void

    @Test func `a manifest at an http address is refused`() async throws {
        let link = "itms-services://?action=download-manifest&url=http://localhost:1/manifest.plist"
        let outcome = try await install(from: TestSite(), path: link)
        #expect(outcome.fatal == [.manifestPlain])
        #expect(outcome.attempt.failure?.shown == "“Cannot connect to localhost”")
    }

    @Test func `a manifest that redirects is refused and not followed`() async throws {
        let outcome = try await Self.outcome {
            $0.replies["GET /manifest.plist"] = { _ in .redirect(to: "/other.plist") }
        }
        #expect(outcome.fatal == [.manifestRedirect])
        #expect(!outcome.requests.contains { $0.path == "/other.plist" })
    }

    @Test func `a manifest behind the page's cookie is told apart from one that is gone`()
        async throws
    {
        let outcome = try await Self.outcome { site in
            site.replies["GET /"] = { request in
                var page = ScriptedReply.text(
                    "<a href='itms-services://?action=download-manifest&amp;url=\(request.base)/manifest.plist'>"
                )
                page.headers.append(("Set-Cookie", "session=abc; Path=/; HttpOnly"))
                return page
            }
            site.replies["GET /manifest.plist"] = { request in
                request.headers.first(name: "Cookie") == "session=abc"
                    ? nil : ScriptedReply(status: .forbidden)
            }
        }
        #expect(outcome.fatal == [.manifestCookie])
        let gone = try await Self.fatal {
            $0.replies["GET /manifest.plist"] = { _ in ScriptedReply(status: .notFound) }
        }
        #expect(gone == [.manifestStatus])
    }

    @Test func `an HTML page in place of a manifest is called one`() async throws {
        let outcome = try await Self.outcome(
            Self.served("<!doctype html><html><body>Log in</body></html>", as: "text/html")
        )
        #expect(outcome.fatal == [.manifestUnreadable])
        #expect(outcome.attempt.step(.offer)?.detail == "the manifest is an HTML page")
        #expect(outcome.faults.contains(.manifestType))
    }

    @Test func `a manifest that is no property list is refused`() async throws {
        let broken =
            "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict><key>A & B</key></dict></plist>"
        #expect(try await Self.fatal(Self.served(broken)) == [.manifestUnreadable])
        #expect(try await Self.fatal(Self.served("{}")) == [.manifestUnreadable])
        #expect(try await Self.fatal(Self.served("")) == [.manifestUnreadable])
    }

    @Test func `a manifest without items, assets or metadata is incomplete`() async throws {
        for item in [[:], ["assets": PropertyList.array([])], ["metadata": .dictionary([:])]] {
            let fatal = try await Self.fatal { site in
                site.item = { current, _ in current = item }
            }
            #expect(fatal.contains(.manifestIncomplete))
        }
        let text = String(decoding: PropertyList.dictionary([:]).xml(), as: UTF8.self)
        #expect(try await Self.fatal(Self.served(text)) == [.manifestIncomplete])
    }

    @Test func `a binary manifest is refused`() async throws {
        let fatal = try await Self.fatal { site in
            let served = site
            site.replies["GET /manifest.plist"] = { request in
                ScriptedReply(
                    headers: [("Content-Type", "text/xml")],
                    body: served.manifest(base: request.base).binary(),
                )
            }
        }
        #expect(fatal == [.manifestBinary])
    }

    @Test func `a manifest larger than a mebibyte is refused`() async throws {
        let long = String(repeating: " ", count: 1 << 20) + "<plist/>"
        #expect(try await Self.fatal(Self.served(long)) == [.manifestTooLarge])
    }

    @Test func `another type warns and installs`() async throws {
        let outcome = try await Self.outcome { site in
            let served = site
            site.replies["GET /manifest.plist"] = { request in
                ScriptedReply(
                    headers: [("Content-Type", "application/octet-stream")],
                    body: served.manifest(base: request.base).xml(),
                )
            }
        }
        #expect(outcome.attempt.installs)
        #expect(outcome.faults == [.manifestType])
    }

    @Test func `an empty or missing title is refused`() async throws {
        #expect(try await Self.fatal { $0.metadata["title"] = .string("") } == [.manifestTitle])
        #expect(try await Self.fatal { $0.metadata["title"] = nil } == [.manifestTitle])
    }

    @Test func `another kind than software is refused`() async throws {
        let fatal = try await Self.fatal { $0.metadata["kind"] = .string("ebook") }
        #expect(fatal == [.manifestKind])
    }

    @Test func `an app at an http address is refused`() async throws {
        let outcome = try await Self.outcome {
            $0.packageURL = { _ in "http://localhost:1/app.ipa" }
        }
        #expect(outcome.fatal == [.archivePlain])
        #expect(outcome.attempt.failure?.shown == "“Cannot connect to localhost”")
    }

    @Test func `an app with a relative address is refused`() async throws {
        #expect(
            try await Self.fatal { $0.packageURL = { _ in "app.ipa" } } == [.manifestIncomplete]
        )
    }

    @Test func `digests without a size are refused`() async throws {
        let fatal = try await Self.fatal { site in
            site.item = { item, base in
                item["assets"] = .array([
                    .dictionary([
                        "kind": .string("software-package"),
                        "url": .string(base + "/app.ipa"),
                        "sha256s": .array([.string(String(repeating: "0", count: 64))]),
                    ])
                ])
            }
        }
        #expect(fatal == [.manifestDigests])
    }

    @Test func `icons that are gone, CgBI, no PNG or of another size only warn`() async throws {
        let cases: [(FaultID, ScriptedReply)] = try [
            (.iconMissing, ScriptedReply(status: .notFound)),
            (.iconAppleOnly, TestSite().picture(57, isAppleOnly: true)),
            (.iconUnreadable, .text("GIF89a", type: "image/gif")),
            (.iconSize, TestSite().picture(60)),
        ]
        for (fault, reply) in cases {
            let outcome = try await Self.outcome { $0.replies["GET /icon-57.png"] = { _ in reply } }
            #expect(outcome.attempt.installs)
            #expect(outcome.faults == [fault])
        }
    }
}
