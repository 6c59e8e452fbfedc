import AppleDeveloper
@testable import AppleServer
import Bundles
import Bytes
import Cryptography
import Foundation
import Identifiers
import Inspection
import Jobs
import Publishing
import ReleaseSigning
import Releases
import Sample
import Signing
import Store
import StoreFixtures
import TeamUpkeep
import Testing
import Zip

/// A store with a published release, the app's team, and the team's account on the App Store Connect test
/// server in this process.
final class UpkeepRoom: Sendable {
    let folder: URL
    let store: OTAStore
    let api: AppleAPI
    let clock: MovedClock
    let authority: SigningAuthority
    let app: BundleIdentifier
    let team: TeamIdentifier

    static let start = Date(timeIntervalSince1970: 1_800_000_000)
    private static let issuer = "57246542-96fe-1a63-e053-0824d011072a"
    private static let keyID = "2X9R4HXF34"

    /// Opens a room in a folder that already has one, with a copy of the account's state.
    private init(
        _ folder: URL,
        _ api: AppleAPI,
        _ clock: MovedClock,
        _ authority: SigningAuthority,
    ) throws {
        self.folder = folder
        self.api = api
        self.clock = clock
        self.authority = authority
        app = try #require(BundleIdentifier("com.vforsh.browsey"))
        team = try #require(TeamIdentifier(authority.team.identifier))
        let root = folder.appending(path: "store")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        let backend = try DirectoryBackend(root: root.path())
        store = try OTAStore.openOrCreate(on: backend, now: clock.now)
    }

    /// Creates a room; if `isReady`, the team has a certificate of the account.
    static func made(in folder: URL, isReady: Bool = true) async throws -> UpkeepRoom {
        let authority = try SigningAuthority.cached()
        let key = try PrivateKey.generate(.p256)
        let api = AppleAPI(
            authority: authority,
            token: TokenCheck(issuer: issuer, keyID: keyID, key: PublicKey(of: key)),
            contracts: [Contract.facts].compactMap(\.self),
        )
        let room = try UpkeepRoom(folder, api, MovedClock(start), authority)
        try room.furnish(with: key)
        api.order(#"{"bundleIDs": ["com.vforsh.browsey"]}"#)
        guard isReady else { return room }
        let job = Job(
            JobIdentifier(at: start, random: randomBytes),
            .renewCertificate,
            for: room.team,
            because: "requested",
            by: "ada",
            at: start,
            due: start,
        )
        _ = try room.store.add(job)
        try await room.settle()
        let ended = try #require(try room.store.job(job.identifier))
        #expect(ended.state == .done, "\(ended.step): \(ended.reason ?? "")")
        return room
    }

    private func furnish(with key: PrivateKey) throws {
        let file = folder.appending(path: "build.ipa").path()
        try SampleApps.browsey(by: authority, at: Self.start)
            .profile(
                ProfileBuilder(.adHoc, devices: SampleDevices.list(1), created: Self.start)
            )
            .build(to: file)
        let options = PublishOptions(publisher: "ci", date: Self.start)
        _ = try Publish(into: store, trusting: anchors, options: options).file(file)
        let (sealing, _) = try keyFile.keyOrNew(for: store)
        var team = Team(team, name: "Sample", added: Self.start, addedBy: "ada")
        team.account = TeamAccount(
            issuer: Self.issuer,
            keyID: Self.keyID,
            sealed: sealing.seal(Array(key.pem.utf8), as: .accountKey(of: self.team)),
            added: Self.start,
            addedBy: "ada",
        )
        team.account?.agreed = Self.start
        _ = try store.add(team)
        _ = try store.changeApp(app) { app in
            app.team = team.identifier
            app.signing = .automatic
        }
    }

    var anchors: TrustAnchors {
        TrustAnchors.apple.adding([
            authority.root.certificate, authority.worldwideAuthority.certificate,
        ])
    }

    private var keyFile: SealingKeyFile {
        SealingKeyFile(path: folder.appending(path: "key").path())
    }

    /// Approves a device for each number.
    func approve(_ numbers: Range<Int>) throws {
        let udids = SampleDevices.list(numbers.upperBound)
        try store.changeDevices { register in
            for number in numbers {
                try register.add(
                    Device(
                        udid: #require(DeviceUDID(udids[number])),
                        name: "Device \(number)",
                        family: .iphone,
                        state: .approved,
                        added: clock.now,
                    ),
                    at: clock.now,
                )
            }
        }
    }

    func udid(_ number: Int) throws -> DeviceUDID {
        try #require(DeviceUDID(SampleDevices.list(number + 1)[number]))
    }

    // MARK: Running

    private var workers: [Job.Kind: any JobWorker] {
        get throws {
            let anchors = anchors
            let accounts = AccountOpener(
                store,
                openingWith: keyFile,
                at: try AppleEndpoint(TransportInProcess.origin),
                through: TransportInProcess(api: api, clock: clock),
                timing: clock.timing,
            )
            let clock = clock
            var workers = AccountWork(
                store,
                through: accounts,
                trusting: { anchors },
                clock: { clock.now },
                random: randomBytes,
            ).workers
            let signer = TeamSigner(store: store, keyFile: keyFile, anchors: anchors)
            workers[.sign] = SigningWorker(store, by: signer, clock: { clock.now }) { anchors }
            return workers
        }
    }

    /// Runs the planner once.
    @discardableResult
    func plan() throws -> [Job] {
        let now = clock.now
        let state = try UpkeepState(store, trusting: anchors, at: now)
        return try store.perform(
            UpkeepPlanner(random: randomBytes).orders(for: state, at: now),
            at: now,
        )
    }

    /// Plans and works until nothing is due within `horizon` seconds.
    func settle(within horizon: TimeInterval = 600) async throws {
        let clock = clock
        let runner = JobRunner(store, workers: try workers, clock: { clock.now })
        let end = clock.now + horizon
        for _ in 0..<300 {
            try plan()
            try await runner.work()
            let added = try plan()
            let next = try store.openJobs().compactMap(\.next).min()
            if let next, next <= clock.now {
                // Two jobs in one account do not start in the same second.
                clock.pass(1)
            } else if added.isEmpty {
                guard let next, next < end else { return }
                clock.pass(next.timeIntervalSince(clock.now))
            }
        }
        Issue.record("it does not come to rest: \(try store.openJobs())")
    }

    // MARK: Looking

    func currentTeam() throws -> Team { try #require(try store.team(team)) }

    /// The devices in the release's newest profile.
    func listed() throws -> Set<DeviceUDID> {
        let app = try #require(try store.app(app))
        let name = try #require(app.channels.values.first)
        let release = try #require(try store.release(name, of: self.app))
        return Set(try store.report(of: release).profile?.devices ?? [])
    }

    /// The final state, which must not depend on how often a process was killed.
    struct End: Equatable {
        var devices: [String]
        var certificates: Int
        /// The devices of each profile, and whether the team has it.
        var profiles: [[String]]
        var registered: Int
        var listed: Set<DeviceUDID>
        var openJobs: Int
        var isTeamWhole: Bool
    }

    func end() throws -> End {
        let account = api.account
        let team = try currentTeam()
        let names = Dictionary(uniqueKeysWithValues: account.devices.map { ($0.id, $0.name) })
        return End(
            devices: account.devices.map { "\($0.name) \($0.status)" }.sorted(),
            certificates: account.certificates.count,
            profiles: account.profiles.map { profile in
                profile.devices.compactMap { names[$0] }.sorted()
            },
            registered: try store.devices().devices.count { $0.state == .registered },
            listed: try listed(),
            openJobs: try store.openJobs().count,
            isTeamWhole: Set(team.profiles.compactMap(\.accountID))
                == Set(account.profiles.map(\.id)) && team.account?.requested == nil
                && team.account?.trouble == nil,
        )
    }
}

/// Signs in this process, with the team's identity in the store.
struct TeamSigner: BuildSigner {
    let store: OTAStore
    let keyFile: SealingKeyFile
    let anchors: TrustAnchors

    func sign(_ work: SigningWork) async throws {
        let key = try keyFile.key(for: store)
        let team = try #require(TeamIdentifier(work.team))
        let archive = try ZipArchive(reading: FileSource(path: work.input))
        let request = SigningRequest(
            identity: try #require(try store.signingIdentity(of: team, with: key)),
            profiles: work.profiles,
            trusting: anchors,
            at: work.date,
        )
        let plan = try PackageSigner(archive, for: request).plan()
        #expect(FileManager.default.createFile(atPath: work.output, contents: nil))
        let file = try #require(FileHandle(forWritingAtPath: work.output))
        try unsafe plan.write(packing: false) { bytes in
            try file.write(contentsOf: unsafe Data(bytes))
        }
        try file.close()
    }
}
