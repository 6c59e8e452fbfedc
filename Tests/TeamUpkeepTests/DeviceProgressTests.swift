import Bundles
import Cryptography
import Foundation
import Identifiers
import Jobs
import Releases
import TeamUpkeep
import Testing

/// What testers are shown about the progress of their devices.
struct DeviceProgressTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let udid = DeviceUDID("00008120-000A1B2C3D4E5F60")

    private func device(_ state: Device.State) throws -> Device {
        var register = DeviceRegister()
        let udid = try #require(Self.udid)
        try register.enrol(
            Newcomer(
                udid: udid,
                name: "Ana's iPhone",
                model: "iPhone15,2",
                os: nil,
                invited: Self.now - 400,
                by: "ada",
            ),
            at: Self.now - 300,
        )
        if state != .enrolled { try register.approve(udid, at: Self.now - 200, by: "ada") }
        if state == .registered { try register.markRegistered(udid, at: Self.now - 100) }
        if state == .disabled { try register.disable(udid, at: Self.now - 100) }
        return try #require(register[udid])
    }

    private func team(
        isActive: Bool = true,
        status: AccountSnapshot.DeviceStatus? = nil,
        trouble: AccountTrouble? = nil,
    ) throws -> Team {
        let identifier = try #require(TeamIdentifier("ABCDE12345"))
        let key = try #require(SealingKey(bytes: Array(repeating: 7, count: 32)))
        var team = Team(identifier, name: "Example", added: Self.now, addedBy: "ada")
        var account = TeamAccount(
            issuer: "57246542-96fe-1a63-e053-0824d011072a",
            keyID: "2X9R4HXF34",
            sealed: key.seal([1], as: .accountKey(of: identifier)),
            added: Self.now,
            addedBy: "ada",
        )
        if isActive { account.agreed = Self.now }
        account.trouble = trouble
        account.snapshot = try status.map { status in
            AccountSnapshot(
                date: Self.now,
                slots: [],
                devices: [.init(udid: try #require(Self.udid), status: status)],
                unknownCount: 0,
            )
        }
        team.account = account
        return team
    }

    private func trouble(needsPerson: Bool) -> AccountTrouble {
        AccountTrouble(
            id: "apple.agreement",
            message: "an agreement is missing",
            fix: "accept it",
            testerSentence: "Apple waits for an agreement.",
            needsPerson: needsPerson,
            since: Self.now - 50,
        )
    }

    private func job(
        _ kind: Job.Kind,
        _ state: Job.State,
        created: Double = -60,
        team: String = "ABCDE12345",
    ) throws -> Job {
        var job = Job(
            JobIdentifier(at: Self.now + created) { Array(repeating: 1, count: $0) },
            kind,
            for: try #require(TeamIdentifier(team)),
            because: "a device joined",
            by: "ota",
            at: Self.now + created,
            due: Self.now + created,
        )
        job.state = state
        return job
    }

    private func progress(
        _ device: Device,
        _ team: Team?,
        isInBuild: Bool = false,
        jobs: [Job] = [],
    ) -> DeviceProgress {
        DeviceProgress(of: device, team: team, isInBuild: isInBuild, jobs: jobs, at: Self.now)
    }

    @Test func `the steps follow the states of the device`() throws {
        let team = try team()
        let waiting = progress(try device(.enrolled), team)
        #expect(waiting.step == .waitingForApproval && !waiting.isStopped)
        #expect(waiting.since == Self.now - 300)
        let adding = progress(try device(.approved), team)
        #expect(adding.step == .addingAtApple && !adding.isStopped)
        #expect(adding.since == Self.now - 200)
        #expect(adding.sentence.contains("72 hours"))
        let preparing = progress(try device(.registered), team)
        #expect(preparing.step == .preparing && preparing.since == Self.now - 100)
        let ready = progress(try device(.registered), team, isInBuild: true)
        #expect(ready.step == .ready && ready.since == nil && !ready.isStopped)
        #expect(progress(try device(.disabled), team, isInBuild: true).isStopped)
    }

    @Test(arguments: [true, false])
    func `where people do the work, nothing is said of Apple`(hasAccount: Bool) throws {
        let team = hasAccount ? try team(isActive: false, status: .processing) : nil
        for state in [Device.State.enrolled, .approved, .registered] {
            let progress = progress(try device(state), team)
            #expect(!progress.sentence.contains("Apple"))
            #expect(progress.step == (state == .enrolled ? .waitingForApproval : .preparing))
            #expect(!progress.isStopped)
        }
    }

    @Test func `what an admin must do is said in the tester's words`() throws {
        for state in [Device.State.approved, .registered] {
            let stopped = progress(
                try device(state),
                try team(trouble: trouble(needsPerson: true)),
            )
            #expect(stopped.sentence == "Apple waits for an agreement.")
            #expect(stopped.isStopped && stopped.since == Self.now - 50)
            let slow = progress(try device(state), try team(trouble: trouble(needsPerson: false)))
            #expect(slow.sentence == stopped.sentence && !slow.isStopped)
        }
        let waiting = progress(
            try device(.enrolled),
            try team(trouble: trouble(needsPerson: true)),
        )
        #expect(!waiting.isStopped, "its own admin comes first")
    }

    @Test(arguments: [AccountSnapshot.DeviceStatus.processing, .ineligible, .other])
    func `Apple's own wait is said as long as it may be`(
        status: AccountSnapshot.DeviceStatus
    ) throws {
        let progress = progress(try device(.approved), try team(status: status))
        #expect(progress.step == .addingAtApple && !progress.isStopped)
        #expect(progress.sentence.contains("still processing"))
        #expect(progress.sentence.contains("72 hours"))
    }

    @Test func `a device that somebody disabled at Apple waits for a person`() throws {
        for state in [Device.State.approved, .registered] {
            let progress = progress(try device(state), try team(status: .disabled))
            #expect(progress.step == .addingAtApple && progress.isStopped)
        }
    }

    @Test func `a job that failed stops its step until another one begins`() throws {
        let team = try team()
        let approved = try device(.approved)
        let registered = try device(.registered)
        let failed = try job(.registerDevice, .failed)
        #expect(progress(approved, team, jobs: [failed]).isStopped)
        #expect(!progress(registered, team, jobs: [failed]).isStopped)
        let again = try job(.registerDevice, .running, created: -10)
        #expect(!progress(approved, team, jobs: [failed, again]).isStopped)
        #expect(!progress(approved, team, jobs: [again, failed]).isStopped)
        let others = try job(.registerDevice, .failed, team: "ZZZZZ12345")
        #expect(!progress(approved, team, jobs: [others]).isStopped)
        let before = try job(.registerDevice, .failed, created: -250)
        #expect(!progress(approved, team, jobs: [before]).isStopped, "it was of another device")
        let renewal = try job(.renewProfile, .failed)
        #expect(progress(registered, team, jobs: [renewal]).isStopped)
        #expect(!progress(approved, team, jobs: [renewal]).isStopped)
    }
}
