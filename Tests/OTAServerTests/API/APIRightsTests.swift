import API
import APIDocuments
import Administration
import Bundles
import Foundation
import Identifiers
import OTAServer
import Releases
import Store
import Testing

struct APIRightsTests {
    @Test func `every address wants a token that allows it`() async throws {
        try await TestSite.run { site in
            let nobody = APIClient(site: site, secret: nil)
            let stranger = try APIClient.holding("publish:com.example.other", on: site)
            // Uploads check the right once they know the app, and hide those of another token.
            for address in APIRoutes.addresses
            where !address.contains("/uploads") && !address.contains("/runner/")
                && !address.hasSuffix("/update")
            {
                let (method, path) = try Self.request(address, app: "demo-co")
                let body = ["GET", "DELETE"].contains(method) ? nil : "{}"
                if method == "OPTIONS" { continue }
                let refused = try await nobody.send(method, path, body)
                #expect(refused.status == 401, "\(address)")
                if method != "HEAD" { #expect(refused.refusal == "token.none", "\(address)") }
                #expect(refused.wire.fields["www-authenticate"] == "Bearer realm=\"ota\"")
                let answer = try await stranger.send(method, path, body)
                if path.hasPrefix("/api/v1/apps/") {
                    #expect(answer.status == 404, "\(address)")
                    #expect(answer.refusal == "app.unknown", "\(address)")
                } else if path.hasPrefix("/api/v1/uploads/") {
                    #expect(answer.status == 404, "\(address)")
                } else if method == "GET" && path.hasPrefix("/api/v1/jobs/") {
                    // Everyone who may publish something may send this request, and finds the jobs of their
                    // apps.
                    #expect(answer.status == 404, "\(address)")
                    #expect(answer.refusal == "job.unknown", "\(address)")
                } else if path == "/api/v1/symbols" {
                    // Everyone who may read something may send this request, and finds the dSYMs of their
                    // apps; it names none.
                    #expect(answer.status == 400, "\(address)")
                } else if path == "/api/v1/uploads" {
                    // Everyone who may publish something may send this request; the offer is empty.
                    #expect(answer.status == 422, "\(address)")
                } else if !["/api/v1", "/api/v1/apps"].contains(path) {
                    #expect(answer.status == 403, "\(address)")
                    #expect(answer.refusal == "token.not-allowed", "\(address)")
                }
            }
            let apps = try await stranger.get("/apps").document(AppsDocument.self)
            #expect(apps.apps.isEmpty)
        }
    }

    @Test func `uploads want a token, and no cookie`() async throws {
        try await TestSite.run { site in
            let nobody = APIClient(site: site, secret: nil)
            let admin = try await AdminClient.admin(site)
            let cookie = ["Cookie": "__Host-ota_admin=\(admin.cookie)"]
            for address in APIRoutes.addresses where address.contains("/uploads") {
                let (method, path) = try Self.request(address, app: "demo-co")
                // The allowed methods are not secret.
                guard method != "OPTIONS" else { continue }
                let body = ["GET", "HEAD", "DELETE"].contains(method) ? nil : "{}"
                #expect(try await nobody.send(method, path, body).status == 401, "\(address)")
                let answer = try await nobody.send(method, path, body, fields: cookie)
                #expect(answer.status == 401, "\(address)")
            }
        }
    }

    @Test func `who may look may not change, and who publishes takes back and offers again`()
        async throws
    {
        try await TestSite.run { site in
            let reader = try APIClient.holding("read:com.example.demo", on: site)
            let publisher = try APIClient.holding("publish:demo-co", on: site)
            let release = "/apps/demo-co/releases/1.2.0-34"
            #expect(try await reader.get(release).status == 200)
            let channel = #"{"channel": "beta"}"#
            #expect(try await reader.post(release + "/promote", channel).status == 403)
            #expect(try await publisher.post(release + "/promote", channel).status == 200)
            let reason = #"{"reason": "broken"}"#
            #expect(try await reader.post(release + "/withdraw", reason).status == 403)
            #expect(try await publisher.post(release + "/withdraw", reason).status == 200)
            #expect(try await reader.post(release + "/restore", "{}").status == 403)
            #expect(try await publisher.post(release + "/restore", "{}").status == 200)
            #expect(try site.store.app(slug: #require(Slug("demo-co")))?.channels.count == 2)
            #expect(try await reader.get("/profiles").status == 403)
        }
    }

    @Test func `a device is shown to admins only, and its identifier stands in no address or log`()
        async throws
    {
        try await TestSite.run { site in
            let udid = "00008120-0000000000000042"
            let admin = try APIClient.holding("admin", on: site)
            let reader = try APIClient.holding("read", on: site)
            let added = try await admin.post("/devices", #"{"udid": "\#(udid)", "name": "Ana"}"#)
            #expect(added.status == 201)
            let reference = try added.document(DeviceDocument.self).device.reference
            #expect(
                added.wire.fields["location"]?.hasSuffix("/api/v1/devices/\(reference)") == true
            )
            let verdicts = "/apps/demo-co/releases/1.2.0/devices"
            #expect(try await admin.get(verdicts).wire.text.contains(udid))
            let shown = try await reader.get(verdicts)
            #expect(shown.wire.text.contains("iPhone"))
            #expect(!shown.wire.text.contains("Ana"))
            #expect(!shown.wire.text.contains(udid))
            #expect(try await reader.get("/devices").status == 403)
            #expect(try await admin.get("/devices/\(udid)").status == 404)
            #expect(try await admin.post("/devices", #"{"udid": "\#(udid)"}"#).status == 409)
            #expect(try await !site.logText().contains(udid))
        }
    }

    @Test func `a token that was revoked, has ended, or is guessed opens nothing`() async throws {
        try await TestSite.run { site in
            let admin = try APIClient.holding("admin", on: site)
            let soon = Date(timeIntervalSinceNow: 60).formatted(.iso8601)
            let made = try await admin.post(
                "/tokens",
                #"{"name": "ci", "scopes": ["read"], "expires": "\#(soon)"}"#,
            )
            #expect(made.status == 201)
            let secret = try #require(try made.document(CreatedTokenDocument.self).secret)
            let holder = APIClient(site: site, secret: secret)
            let server = try await holder.get("").document(ServerDocument.self)
            #expect(server.token.name == "ci")
            #expect(try await !admin.get("/tokens").wire.text.contains(secret))
            site.clock.advance(by: 120)
            #expect(try await holder.get("").refusal == "token.none")
            #expect(
                try await admin.get("/tokens?all=true").document(TokensDocument.self)
                    .tokens.map(\.name).contains("ci")
            )
            #expect(try await admin.send("DELETE", "/api/v1/tokens/ci").status == 200)
            #expect(try await admin.send("DELETE", "/api/v1/tokens/ci").status == 404)
            let guess = "ota_00000000_" + String(repeating: "0", count: 64)
            var last: APIResponse?
            for _ in 0..<8 { last = try await APIClient(site: site, secret: guess).get("") }
            #expect(last?.status == 429)
            #expect(last?.refusal == "token.too-many-guesses")
            #expect(last?.wire.fields["retry-after"] != nil)
        }
    }

    /// A request to an address whose variables are filled in.
    private static func request(
        _ address: String,
        app: String,
    ) throws -> (method: String, path: String) {
        let words = address.split(separator: " ")
        let values = [
            "app": app, "release": "1.2.0-34", "device": String(repeating: "0", count: 24),
            "invitation": String(repeating: "0", count: 16), "profile": "none", "token": "none",
        ]
        let parts = words[1].split(separator: "/").map { part -> String in
            guard part.hasPrefix("{") else { return String(part) }
            return values[String(part.dropFirst().dropLast())] ?? "none"
        }
        return (String(try #require(words.first)), "/" + parts.joined(separator: "/"))
    }
}
