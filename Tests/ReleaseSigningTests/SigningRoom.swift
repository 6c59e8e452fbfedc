import Bytes
import Cryptography
import Foundation
import Identifiers
import Jobs
import Publishing
import ReleaseSigning
import Releases
import Sample
import Signing
import Store
import Testing
import Zip

/// A store with a published release, the app's team, and a signer in this process.
struct SigningRoom {
    let store: OTAStore
    let folder: URL
    let authority: SigningAuthority
    let team: TeamIdentifier
    let release: Release
    let date: Date

    static let app = "com.vforsh.browsey"

    init(in folder: URL, at date: Date = Date(timeIntervalSince1970: 1_800_000_000)) throws {
        self.folder = folder
        self.date = date
        authority = try SigningAuthority.cached()
        let store = try OTAStore.openOrCreate(at: folder.path() + "store", now: date)
        self.store = store
        let file = folder.appending(path: "build.ipa").path()
        try SampleApps.browsey(by: authority, at: date)
            .profile(ProfileBuilder(.adHoc, devices: SampleDevices.list(2), created: date))
            .build(to: file)
        let anchors = TrustAnchors.apple.adding([authority.root.certificate])
        let options = PublishOptions(publisher: "ci", date: date)
        release = try Publish(into: store, trusting: anchors, options: options).file(file).release
        team = try #require(TeamIdentifier(authority.team.identifier))
        var team = Team(self.team, name: "Sample", added: date, addedBy: "ada")
        team.identity = TeamIdentity(
            authority.distribution,
            of: self.team,
            sealedWith: SealingKey(random: randomBytes),
        )
        _ = try store.add(team)
    }

    var anchors: TrustAnchors { TrustAnchors.apple.adding([authority.root.certificate]) }

    /// Returns a profile of the app with the given number of devices, created later than the one in the
    /// build, and valid for the given number of seconds after the release was published.
    func profile(
        devices count: Int,
        for app: String = SigningRoom.app,
        until expiry: TimeInterval? = nil,
    ) throws -> [UInt8] {
        try ProfileBuilder(
            .adHoc,
            devices: SampleDevices.list(count),
            created: date + 3600,
            expires: expiry.map { date + $0 },
        ).bytes(for: .init(bundleIdentifier: app), by: authority)
    }

    /// Queues a job with these profiles instead of the team's.
    func queue(_ profiles: [[UInt8]]) throws -> Job {
        let job = Job(
            JobIdentifier(at: date + 7200, random: randomBytes),
            toSign: release.identifier,
            of: release.bundleIdentifier,
            as: SigningTask(
                team: team.rawValue,
                profiles: try profiles.map { try store.put($0) },
                reason: "requested",
            ),
            by: "ada",
            at: date + 7200,
        )
        return try store.add(job).job
    }

    /// Returns a worker for signing jobs, the given number of seconds after the release was published.
    func worker(after seconds: TimeInterval = 7300, keepingFree reserve: Int = 0) -> SigningWorker {
        let now = date + seconds
        return SigningWorker(
            store,
            by: SignerInProcess(identity: authority.distribution, anchors: anchors),
            keepingFree: reserve,
            clock: { now },
        ) { [anchors] in anchors }
    }

    /// Runs the due jobs, the given number of seconds after the release was published.
    func run(after seconds: TimeInterval = 7300) async throws {
        let (worker, now) = (worker(after: seconds), date + seconds)
        #expect(try await JobRunner(store, workers: [.sign: worker], clock: { now }).work())
    }

    /// Runs the steps of a job up to the one that records the result, which is marked as next.
    func make(_ job: Job, after seconds: TimeInterval = 7300) async throws -> Job {
        let worker = worker(after: seconds)
        var job = job
        // The first step records the signing time, unless that is known.
        for _ in 0..<(job.signing?.begun == nil ? 2 : 1) {
            job.step = SigningStep.sign.rawValue
            let progress = try await worker.step(job)
            job = try store.changeJob(job.identifier, at: date + seconds, progress.change)
        }
        return try store.changeJob(job.identifier, at: date + seconds) { job in
            job.step = SigningStep.record.rawValue
        }
    }

    /// The release in its current state.
    func current() throws -> Release {
        try #require(try store.release(release.identifier, of: release.bundleIdentifier))
    }
}

/// Signs with an identity in memory, as the child process does with the one that it receives.
struct SignerInProcess: BuildSigner {
    let identity: SigningIdentity
    let anchors: TrustAnchors

    func sign(_ work: SigningWork) async throws {
        let archive = try ZipArchive(reading: FileSource(path: work.input))
        let request = SigningRequest(
            identity: identity,
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
        work.progress(1, 1)
    }
}
