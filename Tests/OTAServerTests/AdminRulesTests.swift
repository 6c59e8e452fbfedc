import Foundation
import Identifiers
import Releases
import Store
import TestSupport
import Testing

/// The page of an app's retention rules, and pins, over TLS.
@Suite(.timeLimit(.minutes(10)))
struct AdminRulesTests {
    @Test func `rules are tried, saved and applied on their page, and a release is pinned`()
        async throws
    {
        try await TestSite.run { site in
            let admin = try await AdminClient.admin(site)
            let page = "/admin/apps/demo-co/rules"
            #expect(try await admin.get("/admin/apps/demo-co").text.contains("href=\"\(page)\""))
            let before = try await admin.get(page)
            #expect(before.status == 200 && before.text.contains("These rules keep everything."))
            var form = [
                "kind": "own", "newest": "3", "days": "", "installed": "1", "do": "preview",
            ]
            let tried = try await admin.send(page, form)
            #expect(tried.status == 200 && tried.text.contains("the newest 3 of each channel"))
            #expect(try site.store.apps().first?.retention == nil, "a preview saves nothing")
            form["do"] = nil
            #expect(try await admin.send(page, form).status == 303)
            #expect(try site.store.apps().first?.retention == RetentionRules(newest: 3))
            form["newest"] = "many"
            let refused = try await admin.send(page, form)
            #expect(refused.status == 422 && refused.text.contains("value=\"many\""))
            let applied = try await admin.send(page + "/apply", [:])
            #expect(applied.status == 303 && applied.fields["location"] == page)
            let release = "/admin/apps/demo-co/1.2.0-34"
            #expect(try await admin.send(release + "/pin", [:]).status == 303)
            let pinned = try await admin.get(release).text
            #expect(pinned.contains("Pinned</span>") && pinned.contains(release + "/unpin"))
            #expect(try await admin.get(page).text.contains("root0 pinned it"))
            #expect(try await admin.send(release + "/unpin", [:]).status == 303)
            #expect(try site.store.activity(count: 1).map(\.event) == [.releaseUnpinned])
        }
    }
}
