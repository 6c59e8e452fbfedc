import Bundles
import Cryptography
import Foundation
import GitRepositories
import Identifiers
import MirrorBuilds
import Mirrors
import Releases
import Sample
import Sandboxing
import Store
import TestSupport
import Versions

/// A developer's checkout, the bare repository to which it is pushed, and a store that mirrors that.
struct MirrorRoom {
    let folder: URL
    let upstream: URL
    let work: TestRepository
    let store: OTAStore
    let place: MirrorContext
    let authority: SigningAuthority
    let date = Date(timeIntervalSince1970: 1_769_860_800)

    init(in folder: URL) async throws {
        self.folder = folder
        upstream = folder.appending(path: "upstream.git")
        try FileManager.default.createDirectory(at: upstream, withIntermediateDirectories: true)
        try await TestRepository.git(["init", "--quiet", "--template=", "--bare"], in: upstream)
        work = try await TestRepository(at: folder.appending(path: "work"))
        try await work.git("remote", "add", "origin", upstream.path())
        let store = try OTAStore.openOrCreate(
            at: folder.appending(path: "store").path(),
            now: date,
        )
        self.store = store
        authority = try SigningAuthority.cached()
        let date = date
        place = MirrorContext(
            store: store,
            folders: MirrorFolders(store: folder.appending(path: "store").path()),
            anchors: TrustAnchors.apple.adding([authority.anchor]),
            surroundings: [:],
            clock: { date },
        )
    }

    /// A file that exists if an injected command was run.
    var canary: URL { folder.appending(path: "canary") }

    var isQuiet: Bool { !FileManager.default.fileExists(atPath: canary.path()) }

    @discardableResult
    func add(
        _ name: String = "app",
        change: (inout Mirror) -> Void = { _ in },
    ) throws -> Mirror {
        guard let slug = Slug(name) else { throw MirrorRefusal.badName(name) }
        var mirror = Mirror(
            name: slug,
            address: try MirrorAddress(
                checking: upstream.path().trimmingSuffix("/"),
                allowsFiles: true,
            ),
            added: date,
            by: "ana",
            tags: Mirror.defaultTags,
            branches: Mirror.defaultBranches,
        )
        change(&mirror)
        mirror.trusted = Mirror.trusted(tags: mirror.tags, branches: mirror.branches)
        try store.changeMirrors { try $0.add(mirror) }
        return mirror
    }

    func push() async throws {
        try await work.git(
            "push",
            "--quiet",
            "--force",
            "--prune",
            "origin",
            "refs/heads/*",
            "refs/tags/*",
        )
    }

    func mirror(_ name: String = "app") throws -> Mirror { try store.mirror(named: name) }

    @discardableResult
    func sync(_ name: String = "app") async throws -> SyncOutcome {
        try await Synchronisation(of: mirror(name), in: place, by: "schedule").run()
    }

    /// Builds everything that is queued.
    ///
    /// - Returns: the builds that ended, in their order.
    @discardableResult
    func build(_ name: String = "app", hiding: [String] = []) async throws -> [MirrorRun] {
        let ended = EndedRuns()
        var place = place
        place.hidden = hiding
        place.controlGroups = ControlGroups.prepare()
        try await MirrorWorker(for: mirror(name).name, in: place).work(onEnd: {
            await ended.add($0)
        })
        return await ended.runs
    }

    @discardableResult
    func syncAndBuild(_ name: String = "app") async throws -> [MirrorRun] {
        try await sync(name)
        return try await build(name)
    }

    @discardableResult
    func buildByHand(
        _ name: String = "app",
        hiding: [String] = [],
        _ change: (inout ManualBuild) throws -> Void = { _ in },
    ) async throws -> [MirrorRun] {
        var build = ManualBuild()
        try change(&build)
        _ = try await build.queue(for: mirror(name), in: place, by: "ana")
        return try await self.build(name, hiding: hiding)
    }

    func log(of run: MirrorRun) throws -> String {
        guard let log = run.log else { return "" }
        return String(decoding: try store.bytes(of: log), as: UTF8.self)
    }

    /// The release that a channel of the only app offers.
    func release(on channel: ChannelName) throws -> Release? {
        guard let app = try store.apps().first else { return nil }
        return try store.release(on: channel, of: app)
    }

    func release(on channel: String) throws -> Release? {
        guard let name = ChannelName(channel) else { return nil }
        return try release(on: name)
    }

    /// Makes the IPA that a build step would have compiled, where the step expects it.
    func prepareBuild(
        of app: IPABuilder? = nil,
        version: String,
        number: Int,
    ) throws {
        let builds = folder.appending(path: "builds")
        try FileManager.default.createDirectory(at: builds, withIntermediateDirectories: true)
        let app = app ?? SampleApps.browsey(by: authority, at: date)
        try app.version(version, build: String(number))
            .build(to: builds.appending(path: "\(version)-\(number).ipa").path())
    }

    /// A pipeline whose only step takes the IPA of the version in its variable.
    var pipeline: String {
        """
        env:
          BUILDS: \(folder.path())builds
        steps:
          - name: Build
            run: |
              mkdir -p build
              cp "$BUILDS/$MARKETING_VERSION-$BUILD_NUMBER.ipa" build/App.ipa
        artifacts:
          - path: build/*.ipa
            ifMissing: error
        """
    }
}

private actor EndedRuns {
    private(set) var runs: [MirrorRun] = []

    func add(_ run: MirrorRun) {
        runs.append(run)
    }
}
