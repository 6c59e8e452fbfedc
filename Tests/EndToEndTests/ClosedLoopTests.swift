import Bundles
import Foundation
import Phone
import TestSupport
import Testing

/// A device joins, and minutes later it installs: `ota serve`, the App Store Connect test server and phones,
/// without any further action.
@Suite(.timeLimit(.minutes(10)))
struct ClosedLoopTests {
    @Test func `an invited iPhone comes from its link to the build with one approval`() async throws
    {
        try await LoopRoom.run { room in
            try await room.setUp(approval: "manual")
            try await room.serve()
            var tester = try #require(try await room.invite(1).first)
            try await room.enrol(&tester)
            let page = try OpenPage(room.base + LoopApp.sample.page, on: tester.phone)
            _ = try await page.text("the page waits for the team") {
                $0.contains("waiting for your team to approve it")
            }
            // Nothing is changed at Apple before an admin approves.
            #expect(try await room.apple.report().done("POST", "devices") == 0)
            try await page.hears("the page hears of the approval") {
                try await room.ota("devices", "approve", "--all")
            }
            let app = try await room.install(tester)
            #expect(try app.devices() == [tester.udid])
            #expect(try await room.state(of: tester) == "registered")
            let report = try await room.apple.report()
            #expect(report.devices.map(\.attributes.name) == [tester.name])
            #expect(report.done("POST", "profiles") == 1)
            try await room.settle("all jobs are done")
            #expect(try await room.jobs().allSatisfy { $0.state == "done" })
            try await room.stop()
        }
    }

    @Test func `ten that join at once need no approval and one profile`() async throws {
        try await LoopRoom.run { room in
            try await room.setUp(approval: "automatic")
            try await room.serve(gather: "10s")
            let testers = try await room.enrolTogether(try await room.invite(10))
            let everybody = Set(testers.map(\.udid))
            for tester in testers {
                let app = try await room.install(tester)
                #expect(try app.devices() == everybody)
            }
            try await room.settle("all jobs are done")
            let report = try await room.apple.report()
            #expect(Set(report.devices.compactMap(\.attributes.udid)) == everybody)
            #expect(report.done("POST", "devices") == 10)
            #expect(report.profiles.count == 1)
            #expect(report.done("POST", "profiles") == 1)
            try await room.stop()
        }
    }

    /// Renewal depends only on dates and the app's rule, so the test changes the rule.
    @Test func `profile and certificate are renewed while everybody keeps installing`() async throws
    {
        try await LoopRoom.run { room in
            // The certificate expires in 100 days, and no profile can outlive it.
            try await room.setUp(approval: "automatic", certificateDays: 100)
            try await room.apple.order(#"{"profileDays": 60}"#)
            try await room.serve()
            let process = room.processIdentifier
            var testers = try await room.invite(2)
            for index in testers.indices { try await room.enrol(&testers[index]) }
            let first = try await room.install(testers[0])
            let ended = try #require(first.bundle.profile).claims().expires
            try await room.settle("all jobs are done")
            let before = try await room.apple.report()

            // A profile of 60 days is due for renewal, but not the certificate.
            try await room.apple.order(#"{"profileDays": 365}"#)
            try await room.ota("apps", "set", "sample", "--renew-before", "80")
            try await room.settle("the profile is renewed") {
                let report = try await room.apple.report()
                return report.done("POST", "profiles") > before.done("POST", "profiles")
            }
            for tester in testers {
                let app = try await room.install(tester)
                #expect(try app.devices() == Set(testers.map(\.udid)))
                #expect(try #require(app.bundle.profile).claims().expires > ended)
            }
            let renewed = try await room.apple.report()
            #expect(renewed.profiles.count == 1)
            #expect(renewed.profiles.map(\.id) != before.profiles.map(\.id))
            #expect(renewed.certificates.count == 1)

            // Now the certificate is due for renewal too.
            try await room.ota("apps", "set", "sample", "--renew-before", "120")
            try await room.settle("the certificate is renewed") {
                let report = try await room.apple.report()
                return report.certificates.count == 2 && report.profiles.count == 1
                    && report.profiles.map(\.id) != renewed.profiles.map(\.id)
            }
            for tester in testers {
                let app = try await room.install(tester)
                #expect(try app.devices() == Set(testers.map(\.udid)))
            }
            let last = try await room.apple.report()
            // Certificates that `ota` did not create are kept.
            #expect(Set(renewed.certificates.map(\.id)).isSubset(of: last.certificates.map(\.id)))
            #expect(last.done("DELETE", "certificates") == 0)
            #expect(room.processIdentifier == process)
            #expect(try await room.jobs().allSatisfy { $0.state == "done" })
            try await room.stop()
        }
    }
}
