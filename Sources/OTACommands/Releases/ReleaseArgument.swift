import ArgumentParser
import Bundles
import Cryptography
import Foundation
import Releases
import Store

extension ChannelName: ExpressibleByArgument {
    package init?(argument: String) {
        self.init(argument)
    }
}

/// The release that most verbs are about.
struct ReleaseArguments: ParsableArguments {
    @Argument(help: "The app: its bundle identifier, or its name in URLs.")
    var app: String

    @Argument(help: "The release: version-build, or the version where it has one build.")
    var release: String

    func find(in store: OTAStore) throws -> (app: AppRecord, release: Release) {
        let app = try store.app(named: app)
        return (app, try store.release(named: release, of: app))
    }
}

extension OTAStore {
    /// The app that a person means: by bundle identifier or by its name in URLs.
    func app(named text: String) throws -> AppRecord {
        if let identifier = BundleIdentifier(text), let app = try app(identifier) { return app }
        if let slug = Slug(text.lowercased()), let app = try app(slug: slug) { return app }
        let known = try apps().map { $0.slug.rawValue }.joined(separator: ", ")
        throw CommandFailure(
            id: "app.unknown",
            message: "there is no app “\(text)”",
            mend: known.isEmpty ? "publish a build first" : "use one of: \(known)",
        )
    }

    /// The release that a person means: `1.2.0-34`, or a version that has one build only.
    func release(named text: String, of app: AppRecord) throws -> Release {
        let identifiers = try releaseIdentifiers(of: app.bundleIdentifier)
        if let identifier = ReleaseIdentifier(text), identifiers.contains(identifier),
            let release = try release(identifier, of: app.bundleIdentifier)
        {
            return release
        }
        let matches =
            try identifiers
            .filter {
                $0.rawValue.hasPrefix(ReleaseIdentifier(version: text, build: "").versionPrefix)
            }
            .compactMap { try release($0, of: app.bundleIdentifier) }
        if matches.count == 1 { return matches[0] }
        let builds = matches.map(\.identifier.rawValue).joined(separator: ", ")
        throw CommandFailure(
            id: matches.isEmpty ? "release.unknown" : "release.ambiguous",
            message: matches.isEmpty
                ? "\(app.title) has no release “\(text)”"
                : "version \(text) of \(app.title) has \(matches.count) builds",
            mend: matches.isEmpty ? "see `ota releases list \(app.slug)`" : "use one of: \(builds)",
        )
    }
}

/// One release as commands show it.
struct ReleaseRow: Encodable {
    let app, name, version, build, sha256, channel, state, publisher: String
    let release: String
    let size: Int
    let published: Date
    let installsUntil: Date?
    let offeredOn: [String]
    let minimumOS: String?
    let families: [String]
    let tag, commit: String?
    let notes: String

    init(_ release: Release, in app: AppRecord) {
        self.app = release.bundleIdentifier.rawValue
        name = release.name
        version = release.version
        build = release.build
        self.release = release.identifier.rawValue
        sha256 = release.sha256.description
        channel = release.channel.rawValue
        state = release.withdrawal == nil ? "available" : "withdrawn"
        publisher = release.publisher
        size = release.size
        published = release.published
        installsUntil = release.installsUntil
        offeredOn = app.channels.filter { $0.value == release.identifier }.keys.sorted()
            .map(\.rawValue)
        minimumOS = release.minimumOS
        families = release.families.map(\.name)
        tag = release.tag
        commit = release.commit
        notes = release.notes
    }
}

/// A sentence about one release, with the release for machines.
struct ReleaseResult: CommandResult {
    struct Document: Encodable {
        let schema = 1
        let release: ReleaseRow
    }

    let release: Release
    let app: AppRecord
    let sentence: String

    var document: Document { Document(release: ReleaseRow(release, in: app)) }

    func text(style: Style) -> String {
        sentence.split(separator: "\n", omittingEmptySubsequences: false)
            .map { String($0).printable }.joined(separator: "\n")
    }
}
