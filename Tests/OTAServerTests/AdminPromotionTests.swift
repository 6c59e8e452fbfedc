import APIDocuments
import Administration
import Foundation
import Identifiers
import Inspection
import Releases
import Store
import TestSupport
import Testing

/// What the page and the API show about a release that is being promoted.
@Suite(.timeLimit(.minutes(10)))
struct AdminPromotionTests {
    private static let app = "/admin/apps/demo-co"
    private static let release = app + "/1.2.0-34"

    @Test func `a page asks before it promotes what is not above what is offered, and can undo it`()
        async throws
    {
        try await TestSite.run { site in
            let bytes = Array("newer".utf8)
            try TestSite.publish(bytes, into: site.store, version: "1.3.0", build: "35")
            let admin = try await AdminClient.admin(site)
            func offered() throws -> String? {
                try site.store.app(site.release.bundleIdentifier)?.channels[.stable]?.rawValue
            }
            let asked = try await admin.send(Self.release + "/promote", ["channel": "stable"])
            #expect(asked.fields["location"] == Self.release + "/promote?channel=stable")
            #expect(try offered() == "1.3.0-35", "nothing was changed yet")
            let page = try await admin.shown(after: asked).text
            #expect(page.contains("Promote Demo &amp; Co 1.2.0 (34) to stable?"))
            #expect(page.contains("stable currently offers 1.3.0 (35)."))
            #expect(
                page.contains(
                    "1.2.0 (34) is not higher than 1.3.0 (35) of the channel stable."
                )
            )
            #expect(page.contains("Promote anyway"))
            #expect(page.contains("name=\"instead\" value=\"1.3.0-35\""))
            for other in ["1.2.0-34", "-", ""] {
                let form = ["channel": "stable", "instead": other]
                let again = try await admin.send(Self.release + "/promote", form)
                #expect(again.fields["location"]?.hasSuffix("/promote?channel=stable") == true)
            }
            #expect(try offered() == "1.3.0-35")

            let down = try await admin.send(
                Self.release + "/promote",
                ["channel": "stable", "instead": "1.3.0-35"],
            )
            let flash = try await admin.flash(by: down)
            #expect(try offered() == "1.2.0-34")
            #expect(flash.contains("notice warn flash"))
            #expect(
                flash.contains(
                    "Demo &amp; Co 1.2.0 (34) is now on stable. 1.2.0 (34) is not higher"
                )
            )
            #expect(flash.contains("action=\"\(Self.app)/1.3.0-35/promote\""))
            #expect(flash.contains("name=\"instead\" value=\"1.2.0-34\""))
            #expect(flash.contains(">Undo</button>"))
            let undone = try await admin.send(
                Self.app + "/1.3.0-35/promote",
                ["channel": "stable", "instead": "1.2.0-34"],
            )
            #expect(try await admin.flash(by: undone).contains("notice good flash"))
            #expect(try offered() == "1.3.0-35")

            // A promotion that needs no approval is done at once.
            let beta = try await admin.send(Self.release + "/promote", ["channel": "beta"])
            #expect(try await admin.flash(by: beta).contains("1.2.0 (34) is now on beta."))
            #expect(try await admin.get(Self.release + "/promote?channel=%22").status == 404)

            // A channel's end can be set on the page and by the API.
            let bad = ["channel": "beta", "expires": "never"]
            #expect(try await admin.send(Self.release + "/promote", bad).status == 422)
            let ending = ["channel": "demo", "expires": "2d"]
            let demo = try await admin.send(Self.release + "/promote", ending)
            #expect(try await admin.flash(by: demo).contains("The channel demo ends on "))
            let app = try site.store.app(site.release.bundleIdentifier)
            #expect(app?.end(of: try #require(ChannelName("demo"))) != nil)
            let again = ["channel": "stable", "expires": "2d"]
            #expect(
                try await admin.send(Self.release + "/promote", again).fields["location"]
                    == Self.release + "/promote?channel=stable&expires=2d"
            )

            let api = try APIClient.holding("publish:demo-co", on: site)
            let answer = try await api.post(
                "/apps/demo-co/releases/1.2.0-34/promote",
                #"{"channel": "stable"}"#,
            )
            let document = try answer.document(ReleaseDocument.self)
            #expect(document.findings?.map(\.id) == ["history.version-not-above"])
            #expect(document.previous == "1.3.0-35" && document.channelEnds == nil)
            let ended = try await api.post(
                "/apps/demo-co/releases/1.2.0-34/promote",
                #"{"channel": "pr-12", "expires": "14d"}"#,
            )
            #expect(try ended.document(ReleaseDocument.self).channelEnds != nil)
            let lasting = try await api.post(
                "/apps/demo-co/releases/1.2.0-34/promote",
                #"{"channel": "stable", "expires": "14d"}"#,
            )
            #expect(lasting.refusal == "channel.lasting")
        }
    }
}
