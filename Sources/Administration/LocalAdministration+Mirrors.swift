import Addresses
package import Cryptography
import Foundation
import GitRepositories
import Identifiers
package import MirrorBuilds
package import Mirrors
import Notices
import Releases
import Store
import Versions

extension LocalAdministration {
    /// How many builds a mirror is shown with.
    private static let shownBuilds = 20

    package func mirrors() throws -> MirrorsDocument {
        MirrorsDocument(mirrors: try admin.store.mirrors().mirrors.map(document))
    }

    package func mirror(_ name: String) throws -> MirrorDetailDocument {
        let mirror = try admin.store.mirror(named: name)
        let runs = try admin.store.runs(of: mirror.name, count: Self.shownBuilds)
        return MirrorDetailDocument(
            mirror: try document(mirror),
            builds: runs.map(RunDocument.init),
        )
    }

    package func addMirror(_ new: NewMirror) throws -> MirrorEntryDocument {
        guard let name = Slug(new.name) else { throw MirrorRefusal.badName(new.name) }
        try check(new.settings, allowsPrivate: new.allowPrivate)
        var mirror = Mirror(
            name: name,
            address: try MirrorAddress(
                checking: new.settings.address ?? "",
                allowsFiles: new.settings.allowFile == true,
            ),
            added: now,
            by: admin.name,
            tags: Mirror.defaultTags,
            branches: Mirror.defaultBranches,
        )
        try new.settings.apply(to: &mirror)
        mirror.isPublicOnly = new.allowPrivate.map { !$0 }
        var secrets = MirrorSecrets()
        try new.settings.secrets?.apply(to: &secrets)
        try MirrorActions(in: buildPlace(), by: admin.name).add(mirror, secrets: secrets)
        return MirrorEntryDocument(mirror: try document(mirror))
    }

    package func changeMirror(
        _ name: String,
        _ request: MirrorChangeRequest,
    ) throws -> MirrorEntryDocument {
        let mirror = try admin.store.mirror(named: name)
        let change = request.settings
        try check(change, allowsPrivate: request.allowPrivate)
        var changed = mirror
        try change.apply(to: &changed)
        // Once given, it applies until an admin names another address without it.
        if change.address != nil || request.allowPrivate == true {
            changed.isPublicOnly = request.allowPrivate.map { !$0 }
        }
        var secrets = try admin.store.secrets(of: mirror.name)
        try change.secrets?.apply(to: &secrets)
        let kept = secrets
        try MirrorActions(in: buildPlace(), by: admin.name).change(
            mirror,
            to: changed,
            secrets: change.secrets == nil ? nil : { $0 = kept },
        )
        return MirrorEntryDocument(mirror: try document(changed))
    }

    package func removeMirror(_ name: String) throws -> RemovedMirrorDocument {
        let mirror = try admin.store.mirror(named: name)
        try MirrorActions(in: buildPlace(), by: admin.name).remove(mirror)
        return RemovedMirrorDocument(removed: mirror.name.rawValue)
    }

    package func lookAtMirror(_ name: String) throws -> LookDocument {
        let look = try MirrorActions(in: buildPlace(), by: admin.name).askForSync(of: name)
        return LookDocument(look: look, mirror: try document(admin.store.mirror(named: name)))
    }

    // MARK: Builds

    package func builds(of name: String, after: Int?, limit: Int) throws -> RunsDocument {
        let mirror = try admin.store.mirror(named: name)
        let numbers = try admin.store.runNumbers(of: mirror.name)
            .filter { $0 < after ?? .max }
        let runs = try numbers.prefix(limit).compactMap {
            try admin.store.run($0, of: mirror.name)
        }
        return RunsDocument(
            builds: runs.map(RunDocument.init),
            next: numbers.count > limit ? runs.last?.number : nil,
        )
    }

    package func build(_ number: Int, of name: String) throws -> RunDocument {
        RunDocument(try run(number, of: name))
    }

    package func waitingBuilds() throws -> RunsDocument {
        let runs = try admin.store.mirrors().mirrors.flatMap { mirror in
            try admin.store.runs(of: mirror.name, count: RunQueue.limit * 2)
                .filter { !$0.state.isOver }
        }
        return RunsDocument(
            builds: runs.sorted { ($0.queued, $0.number) < ($1.queued, $1.number) }
                .map(RunDocument.init)
        )
    }

    package func startBuild(of name: String, _ request: BuildRequest) async throws -> RunDocument {
        RunDocument(try await queueBuild(of: name, request))
    }

    /// Queues a build by hand.
    ///
    /// - Parameters:
    ///   - name: of the mirror.
    ///   - request: what is to be built.
    ///   - seen: the commit that it was shown on, where a page did; another one now is refused.
    ///   - seconds: syncs the mirror first, and gives up after these; nil builds what is known.
    /// - Returns: the build.
    /// - Throws: `MirrorRefusal`, `GitFailure`, `StoreFailure`; nothing was queued then.
    package func queueBuild(
        of name: String,
        _ request: BuildRequest,
        seen: String? = nil,
        syncingWithin seconds: Int? = nil,
    ) async throws -> MirrorRun {
        var build = ManualBuild()
        build.tag = try request.tag.map { try TagName($0) }
        build.branch = request.branch
        if let text = request.commit {
            guard let commit = CommitIdentifier(text) else { throw GitFailure.badCommit(text) }
            build.commit = commit
        }
        build.isRebuild = request.rebuild ?? false
        build.seen = seen
        return try await MirrorActions(in: buildPlace(), by: admin.name)
            .queue(build, of: name, syncingWithin: seconds)
    }

    package func cancelBuild(_ number: Int, of name: String) throws -> RunDocument {
        RunDocument(
            try MirrorActions(in: buildPlace(), by: admin.name).cancelBuild(number, of: name)
        )
    }

    package func log(
        of number: Int,
        _ name: String,
        from offset: Int,
    ) throws -> LogPiece {
        let run = try run(number, of: name)
        return try LogReader(of: run, in: admin.store, buildPlace().folders).read(from: offset)
    }

    /// The blob that a build has kept of a file.
    package func artifact(
        _ path: String,
        of number: Int,
        _ name: String,
    ) throws -> SHA256Digest {
        let run = try run(number, of: name)
        guard let blob = run.artifacts.first(where: { $0.path == path })?.blob else {
            throw MirrorRefusal.noArtifact(path, build: number)
        }
        return blob
    }

    package func saveArtifact(
        _ path: String,
        of number: Int,
        _ name: String,
        to file: String,
    ) throws -> Int {
        let stored = try admin.store.open(artifact(path, of: number, name))
        try durableCopy(of: stored.source, to: file, mode: .everyoneReads)
        return stored.size
    }

    // MARK: Parts

    /// What work on the store's mirrors needs.
    ///
    /// - Throws: ``MirrorRefusal/noFolder`` where the store is no folder, and what reads it.
    package func buildPlace() throws -> BuildPlace {
        try BuildPlace(of: admin.store, surroundings: surroundings, clock: admin.clock)
    }

    private var now: Date {
        Date(timeIntervalSince1970: admin.clock().timeIntervalSince1970.rounded(.down))
    }

    private func run(_ number: Int, of name: String) throws -> MirrorRun {
        let mirror = try admin.store.mirror(named: name)
        guard number > 0, let run = try admin.store.run(number, of: mirror.name) else {
            throw MirrorRefusal.noRun(number)
        }
        return run
    }

    private func document(_ mirror: Mirror) throws -> MirrorDocument {
        MirrorDocument(
            mirror,
            try admin.store.mirrorState(mirror.name),
            try admin.store.secrets(of: mirror.name),
            runs: try admin.store.runs(of: mirror.name, count: Self.shownBuilds),
        )
    }

    /// Who asks from elsewhere must say that a machine inside the server's network is meant.
    ///
    /// Who sits at the machine may name any. A name is judged by its addresses, when it is fetched.
    private func check(_ change: MirrorChange, allowsPrivate: Bool?) throws {
        try change.check()
        guard let allowsPrivate, let text = change.address,
            let host = try MirrorAddress(checking: text, allowsFiles: change.allowFile == true).host
        else { return }
        let scope = AddressScope(ofHost: host)
        guard scope.isAllowed(private: allowsPrivate) else {
            throw GitFailure.insideAddress(scope.reason)
        }
    }
}

extension AddressScope {
    /// As far as the text tells, by the rules for webhooks: an address in a spelling that two readers
    /// take for two is at nobody's machine.
    fileprivate init(ofHost host: String) {
        switch try? WebhookURL(checking: "https://\(host)/").host {
        case .address(let address): self = address.scope
        // RFC 6761 6.3.
        case .name(let name) where name == "localhost" || name.hasSuffix(".localhost"):
            self = .near("this machine")
        case .name: self = .everybody
        case nil: self = .never("written in an ambiguous form")
        }
    }
}
