import APIDocuments
import Access
import Administration
import Enrolment
import Foundation
import Notices
import Releases
import Store
import Testing

/// Invalid values: each is refused with a message that says what is allowed and does not repeat the value at
/// length.
struct APIValueTests {
    private static let names = [
        "", "   ", "\u{A0}\u{A0}", "a\u{7}b", "a\u{1B}[31mb", "a\nb", "a\u{202E}b", "\u{200B}",
        String(repeating: "x", count: 10 << 10), "x" + String(repeating: "\u{301}", count: 4000),
    ]

    private struct Place {
        let path: String
        var method = "POST"
        /// What the message must contain.
        let wanted: String
        let body: @Sendable (Any) -> [String: Any]
    }

    private static let release = "/apps/demo-co/releases/1.2.0"

    private static let places = [
        Place(path: "/tokens", wanted: "1 to 60 printable characters") {
            ["name": $0, "scopes": ["read"]]
        },
        Place(path: "/tokens", wanted: "is not a token scope") { ["name": "a", "scopes": [$0]] },
        Place(path: "/tokens", wanted: "must be a date such as 2027-03-14T12:00:00Z") {
            ["name": "a", "scopes": ["read"], "expires": $0]
        },
        Place(path: "/devices", wanted: "1 to 50 printable characters") {
            ["udid": "00008120-0000000000000042", "name": $0]
        },
        Place(path: "/devices", wanted: "must be a UDID: 40 hexadecimal digits") { ["udid": $0] },
        Place(path: "/devices", wanted: "must be a product type such as iPhone15,2") {
            ["udid": "00008120-0000000000000042", "model": $0]
        },
        Place(path: "/devices", wanted: "must be a version such as 18.1") {
            ["udid": "00008120-0000000000000042", "os": $0]
        },
        Place(path: "/devices", wanted: "must be iphone, ipad, ipod, watch, tv, vision or mac") {
            ["udid": "00008120-0000000000000042", "family": $0]
        },
        Place(path: "/invitations", wanted: "1 to 50 printable characters") { ["name": $0] },
        Place(path: "/apps/demo-co", method: "PATCH", wanted: "1 to 80 printable characters") {
            ["title": $0]
        },
        Place(path: "/apps/demo-co", method: "PATCH", wanted: "must be a URL name: 1 to 63") {
            ["slug": $0]
        },
        Place(
            path: "/apps/demo-co",
            method: "PATCH",
            wanted: "access must be open, passphrase, enrolled, sign-in, or groups: "
                + "and 1 to 20 group names",
        ) { ["access": $0] },
        Place(
            path: release + "/promote",
            wanted: "channel must be a channel name: 1 to 63 of "
                + "a-z",
        ) {
            ["channel": $0]
        },
        Place(path: "/webhooks", wanted: "the URL ") { ["url": $0, "kind": "json"] },
        Place(
            path: "/webhooks",
            wanted: "kind must be json, slack, teams, discord, custom or email",
        ) {
            ["url": "https://hooks.example/", "kind": $0]
        },
        Place(path: "/webhooks", wanted: "events.0 must be one of expiring, expired,") {
            ["url": "https://hooks.example/", "kind": "json", "events": [$0]]
        },
        Place(path: "/webhooks", wanted: "16 to 256 printable characters") {
            ["url": "https://hooks.example/", "kind": "json", "secret": $0]
        },
        Place(path: "/mirrors", wanted: "lower-case letters, digits and single hyphens") {
            ["name": $0, "address": "https://git.example/a.git"]
        },
        Place(path: "/mirrors", wanted: "the address ") { ["name": "a", "address": $0] },
        Place(path: "/mirrors", wanted: "tags.0 must be a pattern such as v* or release/*") {
            ["name": "a", "address": "https://git.example/a.git", "tags": [$0]]
        },
        Place(path: "/mirrors", wanted: "a printable path inside the repository") {
            ["name": "a", "address": "https://git.example/a.git", "pipelinePath": $0]
        },
        Place(path: "/mirrors", wanted: "isolation must be none or bwrap") {
            ["name": "a", "address": "https://git.example/a.git", "isolation": $0]
        },
        Place(path: "/devices/lookup", wanted: "must be a UDID") { ["udid": $0] },
        Place(path: "/slots", method: "PUT", wanted: "must be a date such as") { ["renews": $0] },
    ]

    @Test func `a name or value that is none is refused, told how it should be, and not said back`()
        async throws
    {
        try await TestSite.run { site in
            let admin = try APIClient.holding("admin", on: site)
            for place in Self.places {
                for name in Self.names {
                    let body = try JSONSerialization.data(withJSONObject: place.body(name))
                    let answer = try await admin.send(
                        place.method,
                        "/api/v1" + place.path,
                        String(decoding: body, as: UTF8.self),
                    )
                    let what: Comment =
                        "\(place.path) \(place.wanted) \(name.debugDescription.prefix(40))"
                    #expect([400, 422].contains(answer.status), what)
                    let text = answer.wire.text
                    let told = try answer.document(ProblemDocument.self)
                    #expect(told.detail.contains(place.wanted), "\(what): \(told)")
                    #expect(!told.fix.isEmpty && text.utf8.count < 1500, what)
                    #expect(!told.detail.unicodeScalars.contains("\u{1B}"), what)
                }
            }
            #expect(try site.store.devices().devices.isEmpty)
            #expect(try site.store.tokens().tokens.count == 1, "the one that asks")
            #expect(try site.store.webhooks().webhooks.isEmpty)
            #expect(try site.store.invitations().invitations.isEmpty)
        }
    }

    @Test func `a body beyond the limit, and a value of another kind, say what would do`()
        async throws
    {
        try await TestSite.run { site in
            let admin = try APIClient.holding("admin", on: site)
            let long = String(repeating: "é", count: 20 << 10)
            let large = try await admin.post("/tokens", #"{"name": "\#(long)"}"#)
            #expect(large.status == 413)
            let told = try large.document(ProblemDocument.self)
            #expect(told.detail.contains("larger than the 16,384 bytes that this address accepts"))
            let variables = #"{"variables": {"\#(long.prefix(2000))": 1}}"#
            let secrets = #"{"name": "a", "address": "x", "secrets": \#(variables)}"#
            for (path, body, message) in [
                ("/tokens", #"{"name": 5, "scopes": []}"#, "name must be a string"),
                ("/tokens", #"{"name": "a", "scopes": "x"}"#, "scopes must be a list"),
                ("/apps/demo-co/prune", #"{"keep": "x"}"#, "keep must be a whole number"),
                ("/invitations", #"{"name": null}"#, "name must be a string"),
                ("/devices/import", #"{"list": "", "registered": 3}"#, "registered must be"),
                ("/profiles", #"{"profile": "?"}"#, "profile must be the bytes of a profile in"),
                ("/mirrors", secrets, "secrets.variables.ééé"),
            ] {
                let answer = try await admin.post(path, body)
                #expect(answer.status == 400, "\(path)")
                let told = try answer.document(ProblemDocument.self)
                #expect(told.detail.contains(message), "\(path): \(told)")
                #expect(answer.wire.text.utf8.count < 500, "\(path)")
            }
        }
    }

    @Test func `a reason that shows nothing, or steers a terminal, is refused`() async throws {
        try await TestSite.run { site in
            let admin = try APIClient.holding("admin", on: site)
            for reason in ["", " ", "\u{200B}", "a\u{1B}[31m", String(repeating: "x", count: 501)] {
                let body = try JSONSerialization.data(withJSONObject: ["reason": reason])
                let text = String(decoding: body, as: UTF8.self)
                let answer = try await admin.post(Self.release + "/withdraw", text)
                #expect(answer.status == 422 && answer.refusal == "release.bad-reason")
            }
            let lines = try await admin.post(
                Self.release + "/withdraw",
                #"{"reason": "It loses\nbookmarks 👩‍💻"}"#,
            )
            #expect(lines.status == 200)
            let card = try await admin.get(Self.release).document(ReleaseCardDocument.self)
            #expect(card.withdrawal?.reason == "It loses bookmarks 👩‍💻")
        }
    }
}
