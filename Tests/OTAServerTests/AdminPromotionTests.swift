import Administration
import Foundation
import Inspection
import TestSupport
import Testing

/// What the page and the API say of a release that is promoted.
@Suite(.timeLimit(.minutes(3)))
struct AdminPromotionTests {
    private static let app = "/admin/apps/demo-co"
    private static let release = app + "/1.2.0-34"

    @Test func `a page says that it promotes what is not above what is offered`() async throws {
        try await TestSite.run { site in
            let bytes = Array("newer".utf8)
            try TestSite.publish(bytes, into: site.store, version: "1.3.0", build: "35")
            let admin = try await AdminClient.admin(site)
            let down = try await admin.send(Self.release + "/promote", ["channel": "stable"])
            let told = try await admin.told(by: down)
            #expect(
                told.contains(
                    "stable offers it now. 1.2.0 (34) is not above 1.3.0 (35) of the channel stable."
                ),
                "\(told)",
            )
            let up = try await admin.send(Self.app + "/1.3.0-35/promote", ["channel": "stable"])
            #expect(try await !admin.told(by: up).contains("not above"))

            let api = try APIClient.holding("publish:demo-co", on: site)
            let answer = try await api.post(
                "/apps/demo-co/releases/1.2.0-34/promote",
                #"{"channel": "stable"}"#,
            )
            let findings = try answer.document(ReleaseDocument.self).findings
            #expect(findings?.map(\.id) == ["history.version-not-above"])
        }
    }
}
