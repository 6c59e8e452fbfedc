import Cryptography
import Foundation
import Identifiers
import Jobs
import Releases
import Sample
import TeamUpkeep
import Testing

/// What a tester is told between enrolment and the Install button.
struct DeviceProgressTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)
    private let identifier: TeamIdentifier
    private let udid: DeviceUDID

    init() throws {
        identifier = try #require(TeamIdentifier("ABCDE12345"))
        udid = try #require(DeviceUDID(SampleDevices.one))
    }

    private func team(
        _ status: AccountSnapshot.DeviceStatus? = nil,
        trouble: AccountTrouble? = nil,
    ) -> Team {
        var team = Team(identifier, name: "Example", added: now, addedBy: "ada")
        var account = TeamAccount(
            issuer: "57246542-96fe-1a63-e053-0824d011072a",
            keyID: "2X9R4HXF34",
            sealed: SealingKey(random: { [UInt8](repeating: 1, count: $0) })
                .seal([1], as: .accountKey(of: identifier)),
            added: now,
            addedBy: "ada",
        )
        account.agreed = now
        account.snapshot = AccountSnapshot(
            date: now,
            slots: [],
            devices: status.map { [AccountSnapshot.KnownDevice(udid: udid, status: $0)] } ?? [],
            unknownCount: 0,
        )
        account.trouble = trouble
        team.account = account
        return team
    }

    private func trouble(_ id: String, needsPerson: Bool) -> AccountTrouble {
        AccountTrouble(
            id: id,
            message: "m",
            fix: "f",
            testerSentence: "Apple waits.",
            needsPerson: needsPerson,
            since: now,
        )
    }

    private func progress(
        _ state: Device.State,
        _ team: Team?,
        _ build: DeviceProgress.Build = .isPrepared,
        jobs: [Job] = [],
    ) -> DeviceProgress {
        let device = Device(
            udid: udid,
            name: "Ana's iPhone",
            family: .iphone,
            state: state,
            added: now,
        )
        return DeviceProgress(of: device, in: team, jobs: jobs, build: build)
    }

    @Test func `each step has its stage`() {
        #expect(progress(.enrolled, team()).stage == .waitingForApproval)
        #expect(progress(.approved, team()).stage == .beingAddedAtApple)
        #expect(progress(.registered, team(.enabled)).stage == .beingPrepared)
        #expect(progress(.registered, team(.enabled), .installs).stage == .ready)
        #expect(progress(.disabled, team(.enabled), .installs).stage == .stopped)
        #expect(progress(.registered, team(.disabled)).stage == .stopped)
        #expect(progress(.approved, nil).stage == .beingAddedAtApple)
    }

    @Test func `Apple's waits are told as they are`() {
        #expect(progress(.approved, team(.processing)).sentence.contains("processing"))
        #expect(progress(.approved, team(.ineligible)).sentence.contains("72 hours"))
        let slow = trouble("apple.unavailable", needsPerson: false)
        #expect(progress(.approved, team(trouble: slow)).sentence == "Apple waits.")
        #expect(progress(.approved, team(trouble: slow)).stage == .beingAddedAtApple)
    }

    @Test func `what a person must do stops everybody, and a refused device only itself`() {
        let agreement = trouble("apple.agreement", needsPerson: true)
        #expect(progress(.registered, team(.enabled, trouble: agreement)).stage == .stopped)
        let full = team(.enabled, trouble: trouble("apple.no-slot", needsPerson: true))
        #expect(progress(.registered, full).stage == .beingPrepared)
        var job = Job(
            JobIdentifier(at: now, random: { [UInt8](repeating: 1, count: $0) }),
            .registerDevice,
            for: identifier,
            because: "",
            by: "ota",
            at: now,
            due: now,
        )
        job.registration?.refused = [udid]
        #expect(progress(.approved, full, jobs: [job]).stage == .stopped)
    }

    @Test func `no sentence names the device`() {
        for state in Device.State.allCases {
            for build in [DeviceProgress.Build.installs, .isPrepared, .lacksDevice, .none] {
                let sentence = progress(state, team(), build).sentence
                #expect(sentence.hasSuffix(".") && !sentence.contains("Ana"))
                #expect(!sentence.contains(udid.rawValue))
            }
        }
    }
}
