import Bytes
import Essentials
import GitRepositories
import Identifiers
import Inspection
import Mirrors
import Publishing
import Releases
import Sandboxing
import Store
import Versions

/// Delivery of builds that become releases.
extension ArtifactDelivery {
    /// Publishes an IPA.
    func offer(
        _ source: FileSource,
        as file: ArtifactSearch.Found,
        named name: String,
        on channel: ChannelName,
        isSignedHere: Bool = false,
        saying say: @escaping @Sendable (String) -> Void,
    ) async throws -> MirrorRun.Artifact {
        let attempt = try await release(
            source,
            named: name,
            on: channel,
            isSignedHere: isSignedHere,
            saying: say,
        )
        return artifact(of: attempt, file, named: name, on: channel, say)
    }

    /// Returns the record of a file after an attempt to publish it, and writes the result to the log.
    func artifact(
        of attempt: PublishAttempt,
        _ file: ArtifactSearch.Found,
        named name: String,
        on channel: ChannelName,
        _ say: (String) -> Void,
    ) -> MirrorRun.Artifact {
        switch attempt {
        case .published(let release):
            var artifact = MirrorRun.Artifact(path: file.path, outcome: .published)
            artifact.app = release.bundleIdentifier.rawValue
            artifact.release = release.identifier.rawValue
            artifact.channel = channel.rawValue
            say("published \(name): \(release.name) \(release.identifier) on \(channel)")
            return artifact
        case .refused(let reason), .taken(_, _, let reason):
            var artifact = MirrorRun.Artifact(path: file.path, outcome: .refused)
            artifact.detail = reason.words
            say("error: \(name) is not published: \(reason.words)")
            if let fix = reason.fix { say("fix: \(fix)") }
            return artifact
        }
    }

    /// The channel on which the pipeline publishes a build of this cause; nil if it publishes none.
    var channel: ChannelName? {
        guard !hasFailed else { return nil }
        let target =
            switch run.cause {
            case .tag: pipeline.publish.tag
            case .branch: pipeline.publish.branch
            case .manual: pipeline.publish.manual
            }
        return switch target {
        case .nowhere: nil
        case .channel(let channel): channel
        case .version: ChannelName(facts.channel) ?? ChannelName(VersionFacts.development)
        }
    }

    /// Publishes the build.
    ///
    /// Of several builds of one commit, which have the same version and build number, only one becomes the
    /// release.
    ///
    /// A commit is often built as `dev`, then as a release candidate, then as the release, and compilers
    /// seldom produce identical bytes twice.
    func release(
        _ source: FileSource,
        named name: String,
        on channel: ChannelName,
        isSignedHere: Bool,
        saying say: @escaping @Sendable (String) -> Void,
    ) async throws -> PublishAttempt {
        try await beginsPublishing()
        let attempting = { [self] (isReplacing: Bool) async throws -> PublishAttempt in
            try await publish(
                source,
                on: channel,
                replacing: isReplacing,
                isSignedHere: isSignedHere,
                saying: say,
            )
        }
        let attempt = try await attempting(run.isRebuild)
        guard case .taken(let identifier, let digest, _) = attempt else { return attempt }
        let sibling = SiblingRelease(
            identifier,
            with: digest,
            for: mirror,
            commit: facts.commit,
            in: store,
        )
        let (found, owner) = try await blocking { (try sibling.found(), try sibling.owner()) }
        guard let there = found else {
            if let owner, owner.commit != facts.commit.description {
                say(
                    "\(owner.identifier) was built from commit "
                        + "\(owner.commit?.shortCommit ?? "unknown"); a "
                        + "build's number is how many commits lead to it, and two branches can have the same "
                        + "number"
                )
            }
            return attempt
        }
        if sibling.givesWay(there, to: facts) {
            let origin = there.tag.map { "tag \($0)" } ?? "no tag"
            say("the build of tag \(facts.tag) replaces the build of this commit for \(origin)")
            return try await attempting(true)
        }
        say("\(there.identifier) was already built from this commit; its file stays")
        return there.channel == channel
            ? .published(there) : try await promote(there, to: channel, saying: say)
    }

    private func promote(
        _ release: Release,
        to channel: ChannelName,
        saying say: @escaping @Sendable (String) -> Void,
    ) async throws -> PublishAttempt {
        let (store, mirror, date) = (store, mirror, date)
        return try await PublishAttempt.outcome {
            let promotion = try store.promote(
                release.identifier,
                of: release.bundleIdentifier,
                to: channel,
                by: mirror.publisher,
                at: date,
            )
            Self.show(promotion.findings, saying: say)
            return release
        }
    }

    private func publish(
        _ source: FileSource,
        on channel: ChannelName,
        replacing: Bool,
        isSignedHere: Bool,
        saying say: @escaping @Sendable (String) -> Void,
    ) async throws -> PublishAttempt {
        var options = PublishOptions(publisher: mirror.publisher, date: date)
        options.channel = channel
        options.notes = facts.notes
        options.commit = facts.commit.description
        options.origin = BuildOrigin(
            repository: mirror.address.description,
            pipeline: mirror.pipeline == nil ? mirror.pipelinePath : nil,
            builder: "urn:ota:mirror:\(mirror.name)",
            run: "urn:ota:mirror:\(mirror.name):run:\(run.number)",
        )
        options.isBuiltHere = true
        options.isSignedHere = isSignedHere
        options.replace = replacing
        if !facts.isDevelopment {
            options.tag = facts.tag
            options.expected = expected
            options.allowsOtherVersion = pipeline.publish.allowsOtherVersion
        }
        let publish = Publish(
            into: store,
            trusting: anchors,
            options: options,
            admission: { [mirror] build in
                guard mirror.publishes(build.bundleIdentifier) else {
                    throw MirrorRefusal.foreignApp(
                        build.bundleIdentifier.rawValue,
                        mirror.name,
                        only: (mirror.apps ?? []).map(\.description).joined(separator: " "),
                    )
                }
            },
        )
        return try await PublishAttempt.outcome {
            let published = try publish.file(source.path)
            Self.show(published.report.findings, saying: say)
            for remark in published.remarks { say(remark) }
            return published.release
        }
    }

    private static func show(_ findings: [Finding], saying say: (String) -> Void) {
        var shown: Set<String> = []
        for finding in findings where finding.severity != .notes {
            let line = "warning: \(finding.id): \(finding.message) \(finding.fix)"
            guard shown.count < findingLimit, shown.insert(line).inserted else { continue }
            say(line)
        }
    }

    /// The number of lines in a log; the release's page shows all findings.
    private static let findingLimit = 50

    /// Taken from the version facts, whatever prefix the tag has.
    private var expected: ExpectedVersion? {
        (try? Version(facts.version)).map { ExpectedVersion(tag: facts.tag, version: $0) }
    }
}
