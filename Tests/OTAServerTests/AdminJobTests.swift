import Access
import Cryptography
import Foundation
import Identifiers
import Jobs
import Releases
import Store
import Testing

/// The pages of jobs in a running server.
@Suite(.timeLimit(.minutes(10)))
struct AdminJobTests {
    @Test func `a job is listed, shown, tried again and cancelled without a script`() async throws {
        try await TestSite.run { site in
            let job = try site.queue()
            let admin = try await AdminClient.admin(site)
            let list = try await admin.get("/admin/jobs")
            #expect(list.status == 200)
            #expect(list.text.contains("Sign Demo &amp; Co 1.2.0 (34) again"))
            #expect(list.text.contains("data-busy"))
            let path = "/admin/jobs/\(job.identifier)"
            #expect(list.text.contains(path))
            let page = try await admin.get(path)
            #expect(page.text.contains("Apple is down."))
            #expect(page.text.contains("Sign and inspect the build"))
            #expect(page.text.contains("aria-current=\"step\""))
            #expect(page.text.contains(path + "/retry") && page.text.contains(path + "/cancel"))
            #expect(try await admin.get("/admin").text.contains(path))
            #expect(try await admin.get("/admin/teams").text.contains("/admin/jobs\""))
            let release = "/admin/apps/demo-co/1.2.0-34"
            #expect(try await admin.get(release).text.contains(path))
            // A form without this session's code does nothing.
            #expect(try await admin.post(path + "/cancel", [:]).status == 403)
            let flash = try await admin.flash(by: admin.send(path + "/cancel"))
            #expect(flash.contains("Cancelled the job to sign Demo &amp; Co 1.2.0 (34) again."))
            let ended = try #require(try site.store.job(job.identifier))
            #expect(ended.state == .cancelled)
            #expect(try site.store.activity(count: 1).map(\.event) == [.jobCancelled])
            let after = try await admin.get(path).text
            #expect(!after.contains(path + "/cancel") && !after.contains("data-busy"))
            site.clock.advance(by: 11)
            #expect(try await admin.send(path + "/cancel").status == 409)
            _ = try await admin.send(path + "/retry")
            #expect(try site.store.activity(count: 10).map(\.event).contains(.jobRetried))
            #expect(try await admin.get("/admin/jobs/20261121-090000-00000000").status == 404)
        }
    }

    @Test func `who reads the app sees its jobs, and can do nothing with them`() async throws {
        try await TestSite.run { site in
            let job = try site.queue()
            let path = "/admin/jobs/\(job.identifier)"
            let reader = try await AdminClient.admin(
                site,
                Scope(.read, app: site.release.bundleIdentifier),
            )
            let page = try await reader.get(path)
            #expect(page.status == 200)
            #expect(!page.text.contains(path + "/cancel"))
            #expect(try await reader.get("/admin/jobs").status == 403)
            #expect(try await reader.send(path + "/cancel").status == 403)
            let other = try #require(BundleIdentifier("com.example.other"))
            let stranger = try await AdminClient.admin(site, Scope(.read, app: other))
            #expect(try await stranger.get(path).status == 404)
            // Jobs of a developer account are only for admins, and so is the link back to the list.
            #expect(!page.text.contains("href=\"/admin/jobs\""))
            let account = try site.queueForAccount()
            #expect(try await reader.get("/admin/jobs/\(account.identifier)").status == 404)
            let everyApp = try await AdminClient.admin(site, Scope(.read))
            #expect(try await everyApp.get("/admin/jobs/\(account.identifier)").status == 404)
            let admin = try await AdminClient.admin(site)
            let shown = try await admin.get("/admin/jobs/\(account.identifier)")
            #expect(shown.status == 200 && shown.text.contains("href=\"/admin/jobs\""))
            #expect(try site.store.job(job.identifier)?.state == .waiting)
        }
    }
}

extension TestSite {
    /// Queues a job that is due in an hour, so that the server does not start it.
    fileprivate func queue() throws -> Job {
        let now = clock.now
        var job = Job(
            JobIdentifier(at: now, random: randomBytes),
            toSign: release.identifier,
            of: release.bundleIdentifier,
            as: SigningTask(team: "ABCDE12345", reason: "requested"),
            by: "ana",
            at: now,
        )
        job.attempts = 2
        job.next = now + 3600
        job.reason = "Apple is down"
        return try store.add(job).job
    }

    /// Queues a job of a developer account, which belongs to no app, due in an hour.
    fileprivate func queueForAccount() throws -> Job {
        let now = clock.now
        let job = Job(
            JobIdentifier(at: now, random: randomBytes),
            .registerDevice,
            for: try #require(TeamIdentifier("ABCDE12345")),
            because: "devices were approved",
            by: "ana",
            at: now,
            due: now + 3600,
        )
        return try store.add(job).job
    }
}
