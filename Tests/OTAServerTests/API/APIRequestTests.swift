import APIDocuments
import Administration
import Foundation
import OTAServer
import Releases
import Store
import Testing

struct APIRequestTests {
    @Test func `a head that is too long for any route is refused in JSON`() async throws {
        try await TestSite.run { site in
            let admin = try APIClient.holding("admin", on: site)
            let long = String(repeating: "a", count: 100_000)
            let address = try await admin.get("/apps/" + long)
            #expect(address.status == 414 && address.refusal == "request.address-too-long")
            let cut = try await admin.get("/apps/" + long.prefix(15_990))
            #expect(cut.status == 414 && cut.refusal == "request.address-too-long")
            let field = try await admin.send("GET", "/api/v1/apps", fields: ["X-Long": long])
            #expect(field.status == 431 && field.refusal == "request.fields-too-large")
            let many = Dictionary(uniqueKeysWithValues: (0..<200).map { ("X-\($0)", "1") })
            let fields = try await admin.send("GET", "/api/v1/apps", fields: many)
            #expect(fields.status == 431 && fields.refusal == "request.fields-too-large")
            for method in ["PROPFIND", "BREW", "PRI", "GETT", "CONNECT"] {
                let answer = try await admin.send(method, "/api/v1/apps")
                #expect(answer.status == 501 && answer.refusal == "request.refused", "\(method)")
            }
            let brewed = try await admin.send("BREW", "/apps/demo-co")
            #expect(brewed.status == 501 && brewed.refusal == nil, "people are told on a page")
            let page = try await admin.send("GET", "/apps/" + long)
            #expect(page.status == 414 && page.refusal == nil, "people are told on a page")
            #expect(page.wire.fields["content-type"] == "text/html; charset=utf-8")
        }
    }

    @Test func `a refused head behind a page's request is refused as its own`() async throws {
        try await TestSite.run { site in
            try await WireClient.secure(site) { client in
                #expect(try await client.request("GET", "/apps/demo-co").status == 200)
                let long = String(repeating: "a", count: 9000)
                let answer = try await client.request("GET", "/api/v1/\(long)")
                #expect(answer.status == 414)
                #expect(answer.fields["content-type"] == "application/problem+json")
            }
            try await WireClient.secure(site) { client in
                #expect(try await client.request("GET", "/api/v1/apps").status == 401)
                let long = String(repeating: "a", count: 9000)
                let answer = try await client.request("GET", "/apps/\(long)")
                #expect(answer.status == 414)
                #expect(answer.fields["content-type"] == "text/html; charset=utf-8")
            }
        }
    }

    @Test func `what is no such request is refused in JSON`() async throws {
        try await TestSite.run { site in
            let admin = try APIClient.holding("admin", on: site)
            let device = #"{"udid": "00008120-0000000000000042"}"#
            let cases: [(APIResponse, Int, String)] = [
                (try await admin.get("/nothing"), 404, "request.not-found"),
                (
                    try await admin.send("PUT", "/api/v1/apps", "{}"), 405,
                    "request.method-not-allowed",
                ),
                (try await admin.get("/devices?all=perhaps"), 400, "request.bad-parameter"),
                (try await admin.get("/devices?token=x"), 400, "request.unknown-parameter"),
                (
                    try await admin.get("/devices?all=true&all=true"), 400,
                    "request.unknown-parameter",
                ),
                (try await admin.get("/activity?limit=501"), 400, "request.bad-parameter"),
                (try await admin.get("/activity?after=x"), 400, "request.bad-parameter"),
                (try await admin.post("/devices", "{"), 400, "request.malformed"),
                (try await admin.post("/devices", "[]"), 400, "request.malformed"),
                (try await admin.post("/devices", "{}"), 400, "request.malformed"),
                (try await admin.post("/devices", #"{"udid": 5}"#), 400, "request.malformed"),
                (
                    try await admin.post("/devices", #"{"udid": "x", "nam": "y"}"#), 400,
                    "request.malformed",
                ),
                (
                    try await admin.send("POST", "/api/v1/devices", device, type: "text/plain"),
                    415, "request.not-json",
                ),
                (
                    try await admin.send(
                        "POST",
                        "/api/v1/devices",
                        device,
                        type: "application/x-www-form-urlencoded",
                    ),
                    415, "request.not-json",
                ),
                (
                    try await admin.post("/devices", String(repeating: " ", count: 20_000)), 413,
                    "request.too-large",
                ),
                (
                    try await admin.post("/devices", String(repeating: " ", count: 2 << 20)), 413,
                    "request.refused",
                ),
                (
                    try await admin.post("/devices/import", #"{"list": "x"}"#), 422,
                    "devices.malformed-list",
                ),
                (
                    try await admin.post("/profiles", #"{"profile": "AAAA"}"#), 422,
                    "profile.malformed",
                ),
                (try await admin.get("/apps/nothing"), 404, "app.unknown"),
                (try await admin.get("/apps/demo-co/releases/9"), 404, "release.unknown"),
                (try await admin.get("/profiles/nothing"), 404, "profile.unknown"),
                (try await admin.get("/devices/0"), 404, "device.unknown"),
                (
                    try await admin.send("DELETE", "/api/v1/invitations/0"), 404,
                    "invitation.unknown",
                ),
                (
                    try await admin.post(
                        "/apps/demo-co/releases/1.2.0/withdraw",
                        #"{"reason": " "}"#,
                    ),
                    422, "release.bad-reason",
                ),
                (
                    try await admin.post("/tokens", #"{"name": "x", "scopes": ["root"]}"#), 422,
                    "token.bad-scope",
                ),
            ]
            for (number, (answer, status, id)) in cases.enumerated() {
                #expect(answer.status == status, "case \(number): \(answer.wire.text)")
                #expect(answer.refusal == id, "case \(number): \(answer.wire.text)")
            }
            #expect(cases[1].0.wire.fields["allow"] == "GET, HEAD, POST")
            #expect(try site.store.devices().devices.isEmpty)
        }
    }

    @Test func `an action without values may be sent without a body`() async throws {
        try await TestSite.run { site in
            let admin = try APIClient.holding("admin", on: site)
            let release = "/apps/demo-co/releases/1.2.0"
            let withdrawn = try await admin.post(release + "/withdraw", #"{"reason": "broken"}"#)
            #expect(try withdrawn.document(ReleaseDocument.self).release.isWithdrawn)
            #expect(
                try await admin.post(release + "/promote", #"{"channel": "beta"}"#).status == 409
            )
            let card = try await admin.get(release).document(ReleaseCardDocument.self)
            #expect(card.withdrawal?.reason == "broken")
            let restored = try await admin.send("POST", "/api/v1" + release + "/restore")
            #expect(restored.status == 200)
            #expect(try await admin.post(release + "/restore").status == 200)
        }
    }

    @Test func `what somebody else changed is not written over`() async throws {
        try await TestSite.run { site in
            let admin = try APIClient.holding("admin", on: site)
            for (path, change) in [
                ("/apps/demo-co", #"{"title": "Demo \#(UUID().uuidString)"}"#),
                ("/apps/demo-co/releases/1.2.0", #"{"notes": "\#(UUID().uuidString)"}"#),
            ] {
                let seen = try #require(try await admin.get(path).wire.fields["etag"])
                let changed = try await admin.send(
                    "PATCH",
                    "/api/v1" + path,
                    change,
                    fields: ["If-Match": seen],
                )
                #expect(changed.status == 200)
                let newer = try #require(changed.wire.fields["etag"])
                #expect(newer != seen)
                #expect(try await admin.get(path).wire.fields["etag"] == newer)
                let late = try await admin.send(
                    "PATCH",
                    "/api/v1" + path,
                    "{\(path.hasSuffix("0") ? #""notes": "x""# : #""title": "x""#)}",
                    fields: ["If-Match": seen],
                )
                #expect(late.status == 412)
                #expect(late.refusal == "document.changed")
            }
        }
    }

    @Test func `releases and activity are read page by page`() async throws {
        try await TestSite.run { site in
            for number in 1...5 {
                try TestSite.publish([UInt8(number)], into: site.store, version: "2.\(number)")
            }
            let admin = try APIClient.holding("admin", on: site)
            var seen: [String] = []
            var next: String?
            repeat {
                let page = try await admin.get(
                    "/apps/demo-co/releases?limit=4" + (next.map { "&after=\($0)" } ?? "")
                ).document(ReleasePageDocument.self)
                seen += page.releases.map(\.version)
                next = page.next
                #expect(page.older == 6 - seen.count)
            } while next != nil
            #expect(seen == ["2.5", "2.4", "2.3", "2.2", "2.1", "1.2.0"])

            let latest = try await admin.get("/activity?limit=1").document(ActivityDocument.self)
            #expect(latest.activity.map(\.event) == [.tokenCreated])
            var events = 0
            var cursor = "2000-01:0"
            while true {
                let page = try await admin.get("/activity?limit=3&after=\(cursor)")
                    .document(ActivityDocument.self)
                if page.activity.isEmpty { break }
                events += page.activity.count
                cursor = page.cursor
            }
            #expect(events == 7)
            #expect(cursor == latest.cursor)
        }
    }

    @Test func `a device goes its way from invitation to erasure`() async throws {
        try await TestSite.run { site in
            let admin = try APIClient.holding("admin", on: site)
            let sent = try await admin.post("/invitations", #"{"name": "Ana", "app": "demo-co"}"#)
            #expect(sent.status == 201)
            let invitation = try sent.document(SentInvitationDocument.self)
            #expect(invitation.url.hasPrefix(site.addresses.baseURL.rawValue + "/enrol/"))
            let revoking = "/api/v1/invitations/\(invitation.invitation.identifier)"
            #expect(try await admin.send("DELETE", revoking).status == 200)
            #expect(try await admin.send("DELETE", revoking).status == 410)

            let list = #"{"list": "00008120-0000000000000042\tAna\n", "family": "ipad"}"#
            let outcome = try await admin.post("/devices/import", list)
            #expect(try outcome.document(ImportDocument.self).added == 1)
            #expect(try await admin.get("/devices/export.txt").wire.text.contains("\tAna\tios"))
            let found = try await admin.post(
                "/devices/lookup",
                #"{"udid": "00008120-0000000000000042"}"#,
            )
            let device = try found.document(DeviceDocument.self).device
            let path = "/api/v1/devices/\(device.reference)"
            let renamed = try await admin.send("PATCH", path, #"{"name": "Ben"}"#)
            #expect(try renamed.document(DeviceDocument.self).device.name == "Ben")
            #expect(try await admin.send("POST", path + "/disable").status == 200)
            #expect(try await admin.send("POST", path + "/disable").status == 200)
            #expect(try await admin.get("/devices").document(DevicesDocument.self).devices.isEmpty)
            #expect(try await admin.send("DELETE", path).status == 200)
            #expect(try await admin.send("GET", path).status == 404)
            #expect(
                try await admin.post("/devices/approve", #"{"all": true}"#)
                    .document(DevicesDocument.self).devices.isEmpty
            )
            let slots = try await admin.send(
                "PUT",
                "/api/v1/slots",
                #"{"renews": "2027-03-14T00:00:00Z"}"#,
            )
            #expect(try slots.document(SlotsDocument.self).slots.allSatisfy { $0.resets != nil })
        }
    }
}
