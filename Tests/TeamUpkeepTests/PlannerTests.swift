import Cryptography
import Foundation
import Identifiers
import Jobs
import Releases
import Sample
import Store
import TeamUpkeep
import Testing

/// Which jobs are needed, computed from values alone.
struct PlannerTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)
    private let planner = UpkeepPlanner(random: { [UInt8](repeating: 7, count: $0) })
    private let app: BundleIdentifier
    private let identifier: TeamIdentifier

    init() throws {
        app = try #require(BundleIdentifier("com.example.forks"))
        identifier = try #require(TeamIdentifier("ABCDE12345"))
    }

    /// A team whose account was compared an hour ago.
    private func team(
        knowing devices: [AccountSnapshot.KnownDevice] = [],
        invalid: [String] = [],
        hasIdentity: Bool = true,
        change: (inout TeamAccount) -> Void = { _ in },
    ) throws -> Team {
        var team = Team(identifier, name: "Example", added: now, addedBy: "ada")
        let key = SealingKey(random: randomBytes)
        if hasIdentity {
            let authority = try SigningAuthority.cached()
            team.identity = TeamIdentity(authority.distribution, of: identifier, sealedWith: key)
        }
        var account = TeamAccount(
            issuer: "57246542-96fe-1a63-e053-0824d011072a",
            keyID: "2X9R4HXF34",
            sealed: key.seal([1], as: .accountKey(of: identifier)),
            added: now,
            addedBy: "ada",
        )
        account.agreed = now
        var snapshot = AccountSnapshot(
            date: now - 3600,
            slots: [],
            devices: devices,
            unknownCount: 0,
        )
        snapshot.invalidProfiles = invalid
        account.snapshot = snapshot
        change(&account)
        team.account = account
        return team
    }

    private func udid(_ number: Int) throws -> DeviceUDID {
        try #require(DeviceUDID(SampleDevices.list(number + 1)[number]))
    }

    private func device(
        _ number: Int,
        _ state: Device.State,
        at date: Date,
    ) throws -> Device {
        Device(
            udid: try udid(number),
            name: "Device \(number)",
            family: .iphone,
            state: state,
            added: date,
        )
    }

    private func build(
        listing devices: Set<DeviceUDID>?,
        expires: Date? = nil,
        isUnchanged: Bool = true,
        isBetter: Bool = false,
        isKeptFresh: Bool = true,
    ) -> OfferedBuild {
        let choice = devices.map { devices in
            OfferedBuild.Choice(
                uuid: "profile",
                expires: expires ?? now + 200 * 86_400,
                devices: devices,
                accountID: "P1",
            )
        }
        return OfferedBuild(
            app,
            ReleaseIdentifier(version: "1.0", build: "1"),
            of: identifier,
            renewalDays: 30,
            bundles: [app],
            choices: choice.map { [app: $0] } ?? [:],
            isUnchanged: isUnchanged,
            isBetter: isBetter,
            isKeptFresh: isKeptFresh,
        )
    }

    private func orders(
        _ team: Team,
        _ devices: [Device] = [],
        _ builds: [OfferedBuild] = [],
        _ jobs: [Job] = [],
    ) -> [UpkeepPlanner.Order] {
        planner.orders(
            for: UpkeepState(
                teams: [team],
                register: DeviceRegister(devices),
                builds: builds,
                jobs: jobs,
            ),
            at: now,
        )
    }

    private func added(_ orders: [UpkeepPlanner.Order]) -> [Job] {
        orders.compactMap { if case .add(let job) = $0 { job } else { nil } }
    }

    @Test func `nothing is needed where all agrees`() throws {
        let known = AccountSnapshot.KnownDevice(udid: try udid(1), status: .enabled)
        let devices = [try device(1, .registered, at: now - 7200)]
        let builds = [build(listing: [try udid(1)])]
        #expect(orders(try team(knowing: [known]), devices, builds).isEmpty)
    }

    @Test func `an approved device is registered, once, and only after an admin agreed`() throws {
        let devices = [try device(1, .approved, at: now - 5)]
        let jobs = added(orders(try team(), devices))
        #expect(jobs.map(\.kind) == [.registerDevice] && jobs.first?.devices == 1)
        #expect(orders(try team(), devices, [], jobs).isEmpty)
        #expect(orders(try team { $0.agreed = nil }, devices).isEmpty)
    }

    @Test func `a device that is approved while a job waits does not wait with it`() throws {
        let devices = [try device(1, .approved, at: now - 5)]
        var open = try #require(added(orders(try team(), devices)).first)
        open.changed = now - 60
        open.next = now + 3600
        #expect(orders(try team(), devices, [], [open]) == [.move(open.identifier, to: now)])
        // A job that has failed keeps its pauses.
        open.failing = now - 60
        open.attempts = 1
        #expect(orders(try team(), devices, [], [open]).isEmpty)
    }

    @Test func `a device that is out of use here is disabled there`() throws {
        let known = AccountSnapshot.KnownDevice(udid: try udid(1), status: .enabled)
        let devices = [try device(1, .disabled, at: now - 5)]
        #expect(
            added(orders(try team(knowing: [known]), devices)).map(\.kind) == [.registerDevice]
        )
    }

    @Test func `an account is compared every day`() throws {
        let old = try team { account in
            account.snapshot = AccountSnapshot(
                date: now - 86_400,
                slots: [],
                devices: [],
                unknownCount: 0,
            )
        }
        #expect(added(orders(old)).map(\.kind) == [.registerDevice])
    }

    @Test func `profiles wait for a minute after the last device, and for five at most`() throws {
        var devices = [try device(1, .registered, at: now - 10)]
        let builds = [build(listing: [])]
        var job = try #require(added(orders(try team(), devices, builds)).first)
        #expect(job.kind == .renewProfile && job.next == now + 50)
        devices.append(try device(2, .registered, at: now))
        #expect(
            orders(try team(), devices, builds, [job]) == [.move(job.identifier, to: now + 60)]
        )
        job = Job(
            job.identifier,
            .renewProfile,
            for: identifier,
            because: "",
            by: "ota",
            at: now - 280,
            due: now + 10,
        )
        #expect(
            orders(try team(), devices, builds, [job]) == [.move(job.identifier, to: now + 20)]
        )
        job.step = RenewalStep.adopt.rawValue
        #expect(orders(try team(), devices, builds, [job]).isEmpty)
    }

    @Test func `a profile is renewed that ends soon, is invalid or lists too few`() throws {
        let known = AccountSnapshot.KnownDevice(udid: try udid(1), status: .enabled)
        let devices = [try device(1, .registered, at: now - 7200)]
        let whole: Set = [try udid(1)]
        let good = try team(knowing: [known])
        let cases: [(Team, OfferedBuild)] = [
            (good, build(listing: whole, expires: now + 29 * 86_400)),
            (good, build(listing: [])), (good, build(listing: nil)),
            (try team(knowing: [known], invalid: ["P1"]), build(listing: whole)),
        ]
        for (team, build) in cases {
            #expect(added(orders(team, devices, [build])).map(\.kind) == [.renewProfile])
        }
        // A device that was disabled at Apple is in no profile.
        let disabled = AccountSnapshot.KnownDevice(udid: try udid(1), status: .disabled)
        #expect(orders(try team(knowing: [disabled]), devices, [build(listing: [])]).isEmpty)
        #expect(
            orders(try team(knowing: [known], hasIdentity: false), devices, [build(listing: nil)])
                .isEmpty
        )
    }

    @Test func `a profile that lists who has left is renewed a day later, once a day at most`()
        throws
    {
        let known = AccountSnapshot.KnownDevice(udid: try udid(1), status: .enabled)
        let team = try team(knowing: [known])
        let present = try device(1, .registered, at: now - 7200)
        let builds = [build(listing: [try udid(1), try udid(2)])]
        let left = { (age: TimeInterval) in
            [present, try device(2, .disabled, at: now - age)]
        }
        #expect(orders(team, try left(86_399), builds).isEmpty)
        let job = try #require(added(orders(team, try left(86_400), builds)).first)
        #expect(job.kind == .renewProfile && job.next == now)
        #expect(job.renewal?.reason.contains("1 device too many") == true)
        // An erased device has no date, and one that moved to another team has left too.
        #expect(added(orders(team, [present], builds)).count == 1)
        var moved = try device(2, .registered, at: now - 86_400)
        moved.team = "OTHER67890"
        #expect(added(orders(team, [present, moved], builds)).count == 1)

        var ended = job
        ended.state = .done
        ended.changed = now - 86_399
        #expect(orders(team, [present], builds, [ended]).isEmpty)
        ended.changed = now - 86_400
        #expect(added(orders(team, [present], builds, [ended])).count == 1)
        // A device that joins does not have to wait.
        let joined = try left(5) + [try device(3, .registered, at: now)]
        #expect(added(orders(team, joined, builds, [ended])).count == 1)
    }

    @Test func `what failed is not begun again at once, and a further device ends that`() throws {
        let devices = [try device(1, .registered, at: now - 7200)]
        let known = AccountSnapshot.KnownDevice(udid: try udid(1), status: .enabled)
        let builds = [build(listing: [])]
        var job = try #require(added(orders(try team(knowing: [known]), devices, builds)).first)
        job.state = .failed
        #expect(orders(try team(knowing: [known]), devices, builds, [job]).isEmpty)
        let more = devices + [try device(2, .registered, at: now)]
        #expect(added(orders(try team(knowing: [known]), more, builds, [job])).count == 1)
        job.changed = now - 86_400
        #expect(added(orders(try team(knowing: [known]), devices, builds, [job])).count == 1)
    }

    @Test func `an offered release is signed again where that makes it better`() throws {
        let better = build(listing: [], isUnchanged: false, isBetter: true)
        let jobs = added(orders(try team(), [], [better]))
        #expect(jobs.map(\.kind) == [.sign] && jobs.first?.signing?.team == "ABCDE12345")
        #expect(orders(try team(), [], [better], jobs).isEmpty)
        #expect(orders(try team(), [], [build(listing: [], isUnchanged: false)]).isEmpty)
    }

    @Test func `a build that an admin signs gets its profiles, and is left to the admin`() throws {
        let known = AccountSnapshot.KnownDevice(udid: try udid(1), status: .enabled)
        let devices = [try device(1, .registered, at: now - 7200)]
        let team = try team(knowing: [known])
        let lacking = build(listing: [], isKeptFresh: false)
        #expect(added(orders(team, devices, [lacking])).map(\.kind) == [.renewProfile])
        let better = build(
            listing: [try udid(1)],
            isUnchanged: false,
            isBetter: true,
            isKeptFresh: false,
        )
        #expect(orders(team, devices, [better]).isEmpty)
    }

    @Test func `what waits for a person goes on once a certificate is there`() throws {
        var open = try #require(
            added(orders(try team { $0.snapshot = nil })).first
        )
        open.changed = now - 60
        open.next = now + 3000
        open.reason = "something is missing"
        #expect(orders(try team(), [], [], [open]).isEmpty, "nobody is waited for")
        open.fix = "provide it"
        #expect(orders(try team(), [], [], [open]).isEmpty)
        var other = Job(
            JobIdentifier(at: now - 90) { [UInt8](repeating: 8, count: $0) },
            .renewCertificate,
            for: identifier,
            because: "an admin asked for a certificate",
            by: "ada",
            at: now - 90,
            due: now - 90,
        )
        other.state = .done
        other.changed = now - 30
        let move = [UpkeepPlanner.Order.move(open.identifier, to: now)]
        #expect(orders(try team(), [], [], [other, open]) == move)
        other.state = .failed
        #expect(orders(try team(), [], [], [other, open]).isEmpty)
        other.state = .done
        open.changed = now - 10
        #expect(orders(try team(), [], [], [other, open]).isEmpty, "it has seen that")
        open.teamMark = "of another key"
        #expect(orders(try team(), [], [], [open]) == move)
    }
}
