import APIDocuments
import Access
import Administration
import Enrolment
import Foundation
import Identifiers
import Jobs
import Releases
import Store
import TestSupport
import Testing

/// Every action that changes or triggers something is in the activity, with the name of the person who did
/// it.
struct ActorTests {
    /// Actions with a method other than `GET` that change nothing.
    private static let reading: Set<String> = ["LookUpDevice", "CheckTeam", "TestSignIn"]

    /// Actions that need other servers or programs, and the tests that check whose name is recorded, by the
    /// expected event.
    private static let elsewhere = [
        "SyncTeam": "accountCompared", "CreateCertificate": "certificateAsked",
        "TestWebhook": "webhookTested", "StartBuild": "buildAsked",
        "CancelBuild": "buildCancelled", "SignRelease": "signingAsked",
        "ApplyRules": "rulesApplied", "EndPersonSession": "signedOut",
        "RemoveSymbols": "symbolsRemoved",
    ]

    /// Performs every other action, each after those that it requires.
    private final class Person {
        let office: Office
        let local: LocalAdministration
        var done: Set<String> = []

        init(_ office: Office) {
            self.office = office
            local = LocalAdministration(office.ada)
        }

        @discardableResult
        func does<Performed: StoreAction>(_ action: Performed) throws -> Performed.Answer {
            let before = try office.store.activity(count: 500).count
            let answer = try local.perform(action)
            let all = try office.store.activity(count: 500)
            let new = all.prefix(all.count - before)
            #expect(!new.isEmpty, "\(Performed.self) is not in the activity")
            for entry in new {
                #expect(entry.actor == "Ada", "\(Performed.self): \(entry.actor)")
            }
            done.insert("\(Performed.self)")
            return answer
        }
    }

    @Test func `every action names its actor`() async throws {
        try await Office.open { office in
            let person = Person(office)
            let (app, first) = try office.publish()
            let release = first.identifier.rawValue
            let name = app.bundleIdentifier.rawValue
            try Self.apps(person, name, release)
            try Self.devices(person, office)
            try Self.groups(person, office, name)
            try Self.others(person, office, name)
            let all = Set(
                Actions.all.filter { $0.route.method != .get }.map { "\($0)" }
            )
            let known = person.done.union(Self.reading).union(Self.elsewhere.keys)
            #expect(all.subtracting(known) == [], "nothing shows who is named")
            #expect(known.subtracting(all) == [], "there are no such actions")
        }
    }

    @Test func `what is proven elsewhere is proven there`() throws {
        let tests = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent()
        let sources = try FileManager.default.subpathsOfDirectory(atPath: tests.path())
            .filter { $0.hasSuffix("Tests.swift") && !$0.hasSuffix("ActorTests.swift") }
            .map { try String(contentsOf: tests.appending(path: $0), encoding: .utf8) }
        for (action, event) in Self.elsewhere {
            #expect(
                sources.contains { $0.contains(event) && $0.contains("actor") },
                "\(action): no test expects \(event)",
            )
        }
    }

    private static func apps(_ person: Person, _ name: String, _ release: String) throws {
        let beta = try #require(ChannelName("beta"))
        try person.does(ChangeNotes(of: release, of: name, to: "Notes"))
        try person.does(
            PromoteRelease(release, of: name, to: beta, lasting: ChannelLife("14d"))
        )
        try person.does(EndChannel("beta", of: name))
        try person.does(WithdrawRelease(release, of: name, reason: "broken"))
        try person.does(RestoreRelease(release, of: name))
        try person.does(PinRelease(release, of: name, reason: "the fair"))
        try person.does(UnpinRelease(release, of: name))
        let rules = RetentionRules(newest: 5)
        try person.does(ChangeRules(of: name, to: RulesRequest(rules)))
        try person.does(ChangeDefaultRules(to: rules))
        let said = Feedback(
            identifier: "0123456789abcdef",
            date: Office.date,
            text: "It crashes.",
            release: ReleaseIdentifier(version: "1.0", build: "1"),
            sender: Feedback.Sender(name: nil, model: nil, os: nil),
            device: nil,
        )
        _ = try person.office.store.add(said, of: try #require(BundleIdentifier(name)))
        try person.does(DeleteFeedback(said.identifier, of: name))
        for number in 2...3 { _ = try person.office.publish(number) }
        try person.does(
            PruneReleases(of: name, PruneRequest(keep: 1, isDryRun: false))
        )
        let other = try #require(BundleIdentifier("com.example.other"))
        try person.does(AddApp(NewApp(other)))
        try person.does(ChangeApp(name, AppChange(title: "Another")))
    }

    private static func devices(_ person: Person, _ office: Office) throws {
        let udid = try Office.udid(1)
        let added = try person.does(AddDevice(NewDevice(udid: udid, name: "Ana")))
        let reference = added.device.reference
        try person.does(RenameDevice(reference, to: "Ann"))
        try person.does(DisableDevice(reference))
        try person.does(EraseDevice(reference))
        _ = try office.enrol(2, named: "Ben")
        try person.does(ApproveDevices(ApprovalRequest(devices: nil)))
        let list = "Device ID\tDevice Name\n\(try Office.udid(3))\tCleo\n"
        try person.does(ImportDevices(DeviceListing(text: list)))
        let bea = try person.does(AddDevice(NewDevice(udid: Office.udid(4), name: "Bea")))
        let team = try #require(TeamIdentifier("FGHIJ12345"))
        try person.does(AddTeam(NewTeam(team, name: "Second", identity: nil, profiles: [])))
        try person.does(AddDevicesToTeam([bea.device.reference], to: team))
        try person.does(DisableDevices([bea.device.reference]))
        try person.does(RenewMembership(on: Office.date))
        let sent = try person.local.admin.invite(
            NewInvitation(name: "Dan"),
            links: Links(base: try BaseURL("https://ota.example.com")),
        )
        try person.does(RevokeInvitation(sent.issued.invitation.identifier.rawValue))
        var known = LocalAdministration(
            person.local.admin,
            links: Links(base: try BaseURL("https://ota.example.com")),
        )
        known.runnerAgent = nil
        _ = try known.perform(InviteTester(NewInvitation(name: "Eve")))
        let entry = try #require(try office.store.activity(count: 1).first)
        #expect((entry.event, entry.actor) == (.deviceInvited, "Ada"))
        person.done.insert("InviteTester")
    }

    private static func groups(_ person: Person, _ office: Office, _ app: String) throws {
        let qa = try #require(GroupName("qa"))
        try person.does(CreateGroup(qa))
        let ben = try person.local.perform(
            LookUpDevice(LookupRequest(udid: try Office.udid(2)))
        ).device.reference
        try person.does(AddToGroup([ben], to: "qa"))
        try person.does(RemoveFromGroup([ben], from: "qa"))
        let access = try #require(AppRecord.ChannelAccess("groups:qa"))
        try person.does(ChangeChannelAccess("stable", of: app, to: access))
        try person.does(ChangeChannelAccess("stable", of: app, to: .app))
        try person.does(DeleteGroup("qa"))
    }

    private static func others(_ person: Person, _ office: Office, _ app: String) throws {
        let files = try SigningFiles(at: Office.date)
        try person.does(CreateToken(NewToken(name: "ci", scopes: ["read"])))
        try person.does(RotateToken("ci"))
        try person.does(RevokeToken("ci"))
        let hook = try person.does(
            AddWebhook(NewWebhook(url: "https://hooks.example.com/T0", kind: .json))
        ).webhook.identifier
        try person.does(RetryWebhook(hook))
        try person.does(PauseWebhook(hook))
        try person.does(ResumeWebhook(hook))
        try person.does(RemoveWebhook(hook))
        var signIn = NewSignIn(
            issuer: "https://id.example.com",
            clientID: "ota",
            roles: [NewSignIn.Role(role: .admin, person: "ada@example.com")],
        )
        signIn.isPublicClient = true
        try person.does(SetSignIn(signIn))
        try person.does(RemoveSignIn())
        let team = "ABCDE12345"
        let identifier = try #require(TeamIdentifier(team))
        try person.does(
            AddTeam(NewTeam(identifier, name: "Acme", identity: nil, profiles: []))
        )
        try person.does(ChangeTeam(team, TeamChange(name: "Best")))
        try person.does(RemoveTeam(team))
        let believing = LocalAdministration(person.local.admin, anchors: files.anchors)
        _ = try believing.perform(AddProfile(files.profile(), from: "demo.mobileprovision"))
        let added = try #require(try office.store.activity(count: 1).first)
        #expect((added.event, added.actor) == (.profileAdded, "Ada"))
        person.done.insert("AddProfile")
        try Self.jobs(person, office)
        var settings = MirrorChange()
        settings.address = "https://git.example.com/web.git"
        try person.does(AddMirror(NewMirror(name: "web", settings: settings)))
        settings = MirrorChange()
        settings.interval = 600
        try person.does(ChangeMirror("web", MirrorChangeRequest(settings, allowPrivate: nil)))
        try person.does(AskForSync(of: "web"))
        try person.does(AddRunner(NewRunner(name: "mini", labels: nil, mirrors: ["web"])))
        try person.does(ChangeRunner("mini", RunnerChange(labels: ["mac", "arm"])))
        try person.does(RenewRunnerCode("mini"))
        try person.does(PauseRunner("mini"))
        try person.does(ResumeRunner("mini"))
        try person.does(RemoveRunner("mini"))
        try person.does(RemoveMirror("web"))
    }

    private static func jobs(_ person: Person, _ office: Office) throws {
        let job = try office.store.add(
            Job(
                JobIdentifier(at: Office.date) { Array(repeating: 7, count: $0) },
                toSign: ReleaseIdentifier(version: "1.0", build: "1"),
                of: try #require(BundleIdentifier("com.example.forks")),
                as: SigningTask(team: "ABCDE12345", reason: "requested"),
                by: "ada",
                at: Office.date,
            )
        ).job
        try person.does(CancelJob(job.identifier.rawValue))
        try person.does(RetryJob(job.identifier.rawValue))
    }
}
