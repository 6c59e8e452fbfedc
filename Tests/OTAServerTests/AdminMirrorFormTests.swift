import Foundation
import GitRepositories
import Identifiers
import Mirrors
import Store
import TestSupport
import Testing
import Versions

/// The forms that add, change, pause and remove a mirror.
@Suite(.timeLimit(.minutes(10)))
struct AdminMirrorFormTests {
    private static let form = [
        "name": "demo", "address": "https://git.example.com/team/app.git", "interval": "0",
        "branches": "main, release/*", "tags": "v*", "apps": "com.example.*",
    ]

    @Test func `a repository is followed with a token, changed, paused and removed`() async throws {
        try await TestSite.run { site in
            let admin = try await AdminClient.admin(site)
            let secrets = [
                "token": "glpat-secret", "hook": "a-secret-of-20-bytes",
                "variables": "# keys\nAPI_KEY=a=b-of-keys\n",
            ]
            let added = try await admin.send(
                "/admin/mirrors",
                Self.form.merging(secrets) { $1 },
            )
            #expect(added.fields["location"] == "/admin/mirrors/demo", "\(added.text)")
            let name = try #require(Slug("demo"))
            var mirror = try #require(try site.store.mirrors()[name])
            #expect(mirror.branches.map(\.description) == ["main", "release/*"])
            #expect(mirror.interval == nil && mirror.isPublicOnly == true)
            #expect(mirror.apps?.map(\.description) == ["com.example.*"])
            let kept = try site.store.secrets(of: name)
            #expect(
                kept.passwords == "glpat-secret" && kept.variables == ["API_KEY": "a=b-of-keys"]
            )
            #expect(kept.hook == "a-secret-of-20-bytes")
            #expect(try site.store.mirrorState(name).asked != nil, "its first sync")

            let settings = try await admin.get("/admin/mirrors/demo/settings").text
            for secret in ["glpat", "a-secret-of", "a=b-of"] { #expect(!settings.contains(secret)) }
            #expect(settings.contains("Set now: API_KEY") && settings.contains("release/*"))

            // An empty field keeps a secret, and a checkbox removes it.
            var changed = Self.form
            changed["branches"] = "main"
            changed["interval"] = "900"
            changed["no-hook"] = "1"
            let answer = try await admin.send("/admin/mirrors/demo/settings", changed)
            #expect(answer.fields["location"] == "/admin/mirrors/demo", "\(answer.text)")
            mirror = try #require(try site.store.mirrors()[name])
            #expect(mirror.branches.map(\.description) == ["main"] && mirror.interval == 900)
            let left = try site.store.secrets(of: name)
            #expect(left.passwords == "glpat-secret" && left.hook == nil)
            #expect(left.variables == ["API_KEY": "a=b-of-keys"])

            // The token is sent only to the host for which it was entered.
            var elsewhere = changed
            elsewhere["address"] = "https://git.other.example/team/app.git"
            elsewhere["no-hook"] = nil
            let refused = try await admin.send("/admin/mirrors/demo/settings", elsewhere)
            #expect(refused.status == 422 || refused.status == 400, "\(refused.status)")
            #expect(refused.text.contains("and the new address is on another server"))
            #expect(try site.store.mirrors()[name]?.address.server == mirror.address.server)
            elsewhere["token"] = "another-secret"
            #expect(
                try await admin.send("/admin/mirrors/demo/settings", elsewhere).status == 303
            )
            #expect(try site.store.secrets(of: name).passwords == "another-secret")
            let typed = try await admin.send(
                "/admin/mirrors/demo/settings",
                changed.merging(["address": "https://ana:S3cret@git.example.com/a.git"]) { $1 },
            )
            #expect(typed.status != 303 && !typed.text.contains("S3cret"))

            #expect(try await admin.send("/admin/mirrors/demo/pause").status == 303)
            #expect(try site.store.mirrors()[name]?.isPaused == true)
            site.settle()
            let page = try await admin.get("/admin/mirrors/demo").text
            #expect(page.contains("/demo/resume\"") && !page.contains("/demo/pause\""))
            #expect(try await admin.send("/admin/mirrors/demo/resume").status == 303)
            #expect(try site.store.mirrors()[name]?.isPaused == false)
            #expect(try await admin.send("/admin/mirrors/demo/remove").status == 303)
            #expect(try site.store.mirrors()[name] == nil)
            #expect(try site.store.secrets(of: name) == MirrorSecrets())
        }
    }

    @Test(arguments: [
        ["name": "Demo App"], ["address": "http://git.example.com/app.git"],
        ["address": "https://ana:geheim@git.example.com/app.git"], ["address": "/srv/app.git"],
        ["address": "https://127.0.0.1/app.git"], ["branches": ""], ["tags": "a b\u{7}"],
        ["interval": "5"], ["interval": "x"], ["hook": "short"], ["variables": "no sign"],
        ["variables": "1X=y"],
    ])
    func `a mistake is said beside the form, which keeps what was typed`(
        _ mistake: [String: String]
    ) async throws {
        try await TestSite.run { site in
            let admin = try await AdminClient.admin(site)
            let form = Self.form.merging(["token": "glpat-secret"]) { $1 }
            let answer = try await admin.send("/admin/mirrors", form.merging(mistake) { $1 })
            #expect(answer.status == 422, "\(answer.text)")
            #expect(answer.text.contains("role=\"alert\"") && answer.text.contains("com.example.*"))
            #expect(!answer.text.contains("glpat") && !answer.text.contains(" --"))
            #expect(try site.store.mirrors().mirrors.isEmpty)
        }
    }

    @Test func `a new address forgets how the sync of the old one failed, and is synced`()
        async throws
    {
        try await TestSite.run { site in
            let admin = try await AdminClient.admin(site)
            let ssh = ["address": "ssh://git@git.example.com/team/app.git"]
            var form = Self.form.merging(ssh) { $1 }
            #expect(try await admin.send("/admin/mirrors", form).status == 303)
            let name = try #require(Slug("demo"))
            // The sync after the form fails; wait for it, so that it does not fail later.
            for _ in 0..<600 where try site.store.mirrorState(name).answered == nil {
                try await Task.sleep(for: .milliseconds(50))
            }
            try site.store.changeMirrors { register in
                try register.change(name) { $0.isPaused = true }
            }
            func fail() throws {
                try site.store.changeMirrorState(name) { state in
                    state.synced = Date()
                    state.problem = "the old host is gone"
                    state.isDue = false
                }
                site.settle()
            }
            try fail()
            #expect(
                try await admin.get("/admin/mirrors/demo").text.contains("the old host is gone")
            )
            // Sending the same address again changes nothing.
            form["interval"] = "900"
            let same = try await admin.send("/admin/mirrors/demo/settings", form)
            #expect(same.status == 303, "\(same.text)")
            #expect(try site.store.mirrorState(name).problem == "the old host is gone")

            form["address"] = "git@git.example.com:team/other.git"
            #expect(try await admin.send("/admin/mirrors/demo/settings", form).status == 303)
            let state = try site.store.mirrorState(name)
            #expect(state.problem == nil && state.synced == nil && !state.isDue, "it is paused")
            let page = try await admin.get("/admin/mirrors/demo").text
            #expect(!page.contains("the old host is gone") && !page.contains("sync failed"))
        }
    }

    @Test func `a host inside the network needs a word, which stays`() async throws {
        try await TestSite.run { site in
            let admin = try await AdminClient.admin(site)
            var form = Self.form.merging(["address": "https://10.0.0.7/app.git"]) { $1 }
            #expect(try await admin.send("/admin/mirrors", form).status == 422)
            form["private"] = "1"
            #expect(try await admin.send("/admin/mirrors", form).status == 303)
            let name = try #require(Slug("demo"))
            #expect(try site.store.mirrors()[name]?.isPublicOnly == false)
            // Sending the same form again does not change this setting.
            #expect(try await admin.send("/admin/mirrors/demo/settings", form).status == 303)
            #expect(try site.store.mirrors()[name]?.isPublicOnly == false)
            form["private"] = nil
            #expect(try await admin.send("/admin/mirrors/demo/settings", form).status == 422)
        }
    }
}
