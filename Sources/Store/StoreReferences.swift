import Bundles
import Cryptography
import Identifiers
import Releases

/// The references between documents and blobs, read from storage without the cache.
struct StoreReferences {
    /// Every blob that a release, job, build or team needs, with the path of one document that needs it.
    private(set) var blobs: [SHA256Digest: String] = [:]
    private(set) var releases = 0
    private(set) var problems: [StoreProblem] = []
    /// The teams whose sealed private keys are in the store.
    private(set) var sealedIdentities: [String] = []

    /// Releases that are treated as if they did not exist.
    private let excluded: Set<DocumentName>

    /// Reads the documents of all apps, mirrors, teams and jobs; a document that cannot be read becomes a
    /// problem.
    ///
    /// - Parameters:
    ///   - store: the store to read.
    ///   - excluded: releases that are treated as if they did not exist.
    /// - Throws: ``StoreFailure`` if a folder cannot be listed.
    init(of store: OTAStore, without excluded: Set<DocumentName> = []) throws(StoreFailure) {
        self.excluded = excluded
        try readJobs(in: store)
        for mirror in try store.backend.names(in: .runs) { try readRuns(of: mirror, in: store) }
        for file in try store.backend.names(in: .teams) where file.hasSuffix(".json") {
            do throws(StoreFailure) {
                try readTeam(DocumentName.teams.appending(file), in: store)
            } catch {
                problems.append(StoreProblem(error))
            }
        }
        for folder in try store.backend.names(in: .apps) {
            do throws(StoreFailure) {
                try readApp(folder, in: store)
            } catch {
                problems.append(StoreProblem(error))
            }
        }
    }

    /// Adds a team's profiles, and whether its sealed private key is in the store.
    private mutating func readTeam(
        _ name: DocumentName,
        in store: OTAStore,
    ) throws(StoreFailure) {
        guard let team = try Self.read(Team.self, name, in: store) else { return }
        for profile in team.profiles { blobs[profile.digest] = name.path }
        if !team.secrets.isEmpty { sealedIdentities.append(team.identifier.rawValue) }
    }

    private mutating func readApp(_ folder: String, in store: OTAStore) throws(StoreFailure) {
        let appName = try DocumentName("apps", folder, "app.json")
        let releasesName = try DocumentName("apps", folder, "releases")
        var there: Set<ReleaseIdentifier> = []
        for file in try store.backend.names(in: releasesName) where file.hasSuffix(".json") {
            do throws(StoreFailure) {
                let name = try releasesName.appending(file)
                guard !excluded.contains(name) else { continue }
                guard let release = try Self.read(Release.self, name, in: store) else { continue }
                there.insert(release.identifier)
                add(release, at: name)
            } catch {
                problems.append(StoreProblem(error))
                if let identifier = ReleaseIdentifier(String(file.dropLast(5))) {
                    there.insert(identifier)
                }
            }
        }
        guard let app = try Self.read(AppRecord.self, appName, in: store) else {
            // It is damage if the app's releases prove that its record existed.
            if let identifier = BundleIdentifier(folder) { _ = try store.app(identifier) }
            return
        }
        for (channel, release) in app.channels.sorted(by: { $0.key < $1.key })
        where !there.contains(release) {
            let name = try releasesName.appending(release.rawValue + ".json")
            do throws(StoreFailure) {
                // Published after the listing.
                if let release = try Self.read(Release.self, name, in: store) {
                    add(release, at: name)
                    continue
                }
            } catch {
                problems.append(StoreProblem(error))
                continue
            }
            guard try Self.offers(release, appName, in: store) else { continue }
            problems.append(
                StoreProblem(
                    id: StoreProblem.missingRelease,
                    place: appName.path,
                    message: "channel \(channel) offers release \(release), which does not exist",
                    fix: "promote another release to the channel with `ota releases promote`",
                )
            )
        }
    }

    /// Whether a channel of the app still offers the release, which was removed meanwhile.
    private static func offers(
        _ release: ReleaseIdentifier,
        _ app: DocumentName,
        in store: OTAStore,
    ) throws(StoreFailure) -> Bool {
        try read(AppRecord.self, app, in: store)?.channels.values.contains(release) ?? false
    }

    /// Adds the logs and kept files of a mirror's builds.
    private mutating func readRuns(of mirror: String, in store: OTAStore) throws(StoreFailure) {
        let folder = try DocumentName.runs.appending(mirror)
        for file in try store.backend.names(in: folder) where file.hasSuffix(".json") {
            do throws(StoreFailure) {
                let name = try folder.appending(file)
                guard let run = try Self.read(RunBlobs.self, name, in: store) else { continue }
                for blob in run.all { blobs[blob] = name.path }
            } catch {
                problems.append(StoreProblem(error))
            }
        }
    }

    /// Adds the profiles of jobs, and signed files that are not recorded yet.
    private mutating func readJobs(in store: OTAStore) throws(StoreFailure) {
        for file in try store.backend.names(in: .jobs) where file.hasSuffix(".json") {
            do throws(StoreFailure) {
                let name = try DocumentName.jobs.appending(file)
                guard let job = try Self.read(JobBlobs.self, name, in: store) else { continue }
                for blob in job.all { blobs[blob] = name.path }
            } catch {
                problems.append(StoreProblem(error))
            }
        }
    }

    private mutating func add(_ release: Release, at name: DocumentName) {
        releases += 1
        for blob in release.blobs { blobs[blob] = name.path }
    }

    private static func read<Value: Decodable>(
        _ type: Value.Type,
        _ name: DocumentName,
        in store: OTAStore,
    ) throws(StoreFailure) -> Value? {
        guard let document = try store.backend.read(name) else { return nil }
        return try DocumentCoding.decode(type, from: document.bytes, path: name.path)
    }
}

/// The blobs of a mirror's build: `runs/{mirror}/{number}.json`.
private struct RunBlobs: Decodable {
    struct Artifact: Decodable {
        let blob: SHA256Digest?
    }

    let log: SHA256Digest?
    let artifacts: [Artifact]?

    var all: [SHA256Digest] { [log].compactMap(\.self) + (artifacts ?? []).compactMap(\.blob) }
}

/// The blobs of a job: `jobs/{identifier}.json`.
private struct JobBlobs: Decodable {
    struct Signing: Decodable {
        let profiles: [SHA256Digest]?
        let made: Release.Signing?
    }

    struct Renewal: Decodable {
        struct Draft: Decodable {
            let digest: SHA256Digest?
        }

        let drafts: [Draft]?
    }

    let state: String
    let signing: Signing?
    let renewal: Renewal?
    let certificate: Renewal?

    /// Empty if the job is done: its results then belong to the release.
    var all: [SHA256Digest] {
        guard state != "done" else { return [] }
        let made = signing?.made.map { [$0.sha256, $0.report, $0.provenance].compactMap(\.self) }
        let profiles = [renewal, certificate].flatMap { $0?.drafts ?? [] }.compactMap(\.digest)
        return (signing?.profiles ?? []) + (made ?? []) + profiles
    }
}

extension DocumentName {
    /// The folder of jobs, with one document per job.
    package static let jobs = DocumentName(known: "jobs")

    /// The folder of builds, with one folder per mirror and one document per build.
    package static let runs = DocumentName(known: "runs")
}
