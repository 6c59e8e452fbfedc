import APIDocuments
import Access
import Administration
import Foundation
import OTAServer
import Store
import Testing
import Uploads

/// The responses of the admin's API and pages when the disk is full.
@Suite(.timeLimit(.minutes(10)))
struct FullDiskTests {
    @Test func `a full disk is named by the API and the pages`() async throws {
        let held = HeldDisk()
        try await TestSite.run(over: held.wrap) { site in
            let admin = try await AdminClient.admin(site)
            let client = try APIClient.holding("admin", on: site)
            let disk = try #require(held.disk)
            disk.refuse(.write, of: "tokens")
            let body = #"{"name": "x", "scopes": ["read"]}"#
            let answer = try await client.post("/tokens", body)
            #expect(answer.status == 507)
            #expect(answer.refusal == "store.no-space")
            #expect(answer.wire.fields["retry-after"] == "30")
            let page = try await admin.send(
                "/admin/tokens",
                ["name": "x", "scope": "read", "days": "7"],
            )
            #expect(page.status == 507)
            #expect(page.text.contains("The disk is full"))
            #expect(page.fields["retry-after"] == "30")
            disk.fix()
            #expect(try await client.post("/tokens", body).status == 201)
        }
    }

    @Test func `an admin who uploads learns which file failed, another publisher does not`()
        async throws
    {
        let held = HeldDisk()
        let small: (inout ServerConfiguration, URL) -> Void = { configuration, _ in
            configuration.uploads.reserve = 0
        }
        try await TestSite.run(over: held.wrap, configure: small) { site in
            let admin = try APIClient.holding("admin", on: site)
            let publisher = try APIClient.holding("publish", on: site)
            try #require(held.disk).refuse(.write, of: "incoming")
            for client in [admin, publisher] {
                let answer = try await client.post("/uploads", #"{"size": 2000}"#)
                #expect(answer.status == 507 && answer.refusal == "store.no-space")
                #expect(answer.wire.fields["retry-after"] == "30")
                let problem = try answer.document(ProblemDocument.self)
                #expect(problem.place.isEmpty == (client.secret == publisher.secret), "\(problem)")
            }
        }
    }
}
