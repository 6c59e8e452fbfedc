import Bundles
import Bytes
import Cryptography
import Essentials
import GitRepositories
import Identifiers
import Inspection
import Mirrors
import Publishing
import ReleaseSigning
import Releases
import Sandboxing
import Store
import Versions

/// What becomes of the files that a build made: an IPA becomes a release, everything else is kept with
/// the build.
struct ArtifactDelivery: Sendable {
    let store: OTAStore
    let anchors: TrustAnchors
    let mirror: Mirror
    let run: MirrorRun
    let facts: VersionFacts
    let pipeline: Pipeline
    let checkout: OpenFolder
    /// Where an archive of Xcode's is packed: outside of what the build can write, absolute.
    let package: String
    /// What signs builds that nobody has signed; nil where nothing on this machine can.
    let signer: (any BuildSigner)?
    let date: Date

    /// Takes what is there; `record` is given what was taken so far, which stays when another file fails.
    ///
    /// - Returns: what the build fails for, if it does.
    func deliver(
        saying say: @escaping @Sendable (String) -> Void,
        recording record: ([MirrorRun.Artifact]) async throws -> Void,
    ) async throws -> String? {
        var artifacts: [MirrorRun.Artifact] = []
        var failure: String?
        for rule in pipeline.artifacts where rule.conditions.hold(for: run) {
            let found = await blocking { ArtifactSearch(rule.path, in: checkout).found() }
            if found.isEmpty {
                let words = "no file matches \(rule.path)"
                if rule.ifMissing != .ignore {
                    say("\(rule.ifMissing == .warn ? "warning" : "error"): \(words)")
                    artifacts.append(.init(path: rule.path, outcome: .missing))
                }
                if rule.ifMissing == .error { failure = failure ?? words }
            }
            for file in found where !artifacts.contains(where: { $0.path == file.path }) {
                let artifact = try await take(file, by: rule, saying: say)
                if artifact.outcome == .refused {
                    failure = failure ?? "\(file.path): \(artifact.detail ?? "refused")"
                }
                artifacts.append(artifact)
                try await record(artifacts)
            }
        }
        try await record(artifacts)
        return failure
    }

    /// A file that cannot be read is no reason to lose the others.
    private func take(
        _ file: ArtifactSearch.Found,
        by rule: Pipeline.ArtifactRule,
        saying say: @escaping @Sendable (String) -> Void,
    ) async throws -> MirrorRun.Artifact {
        let name = PrintableText(escaping: file.path, limit: 200).text
        do {
            return try await deliver(file, named: name, by: rule, saying: say)
        } catch let failure as SourceFailure {
            var artifact = MirrorRun.Artifact(path: file.path, outcome: .refused)
            artifact.detail = "it cannot be read: \(failure.reason)"
            say("error: \(name) cannot be read: \(failure.reason)")
            return artifact
        }
    }

    private func deliver(
        _ file: ArtifactSearch.Found,
        named name: String,
        by rule: Pipeline.ArtifactRule,
        saying say: @escaping @Sendable (String) -> Void,
    ) async throws -> MirrorRun.Artifact {
        if file.isFolder {
            if file.path.lowercased().hasSuffix(".xcarchive") {
                return try await deliverArchive(file, named: name, by: rule, saying: say)
            }
            if file.path.lowercased().hasSuffix(".app"), let channel {
                let signed = try await deliverApplication(
                    file,
                    named: name,
                    by: rule,
                    on: channel,
                    saying: say,
                )
                if let signed { return signed }
            }
            return try await keepFolder(file, named: name, because: nil, saying: say)
        }
        guard file.path.lowercased().hasSuffix(".ipa"), let channel else {
            return try await keep(file, named: name, saying: say)
        }
        let source = try await blocking { try checkout.file(at: file.path) }
        let attempt = try await release(
            source,
            named: name,
            on: channel,
            isSignedHere: false,
            saying: say,
        )
        if case .refused(let reason) = attempt, reason.isUnsigned {
            let files = try await blocking { try entitlements(by: rule, beside: nil) }
            let signing = try await sign(
                source.path,
                as: file,
                named: name,
                claiming: files,
                on: channel,
                saying: say,
            )
            switch signing {
            case .offered(let artifact): return artifact
            case .manual(let fix):
                let fixes = [reason.fix, fix].compactMap(\.self).joined(separator: "; or ")
                let reason = PublishAttempt.Reason(words: reason.words, fix: fixes)
                var artifact = artifact(of: .refused(reason), file, named: name, on: channel, say)
                artifact.bytes = file.bytes
                return artifact
            case .failed(let reason):
                return self.artifact(of: .refused(reason), file, named: name, on: channel, say)
            }
        }
        var artifact = artifact(of: attempt, file, named: name, on: channel, say)
        artifact.bytes = file.bytes
        return artifact
    }

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

    private func artifact(
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

    /// Where a build of this cause is offered; nil when it is not.
    var channel: ChannelName? {
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

    /// Publishes; of several builds of one commit, which have the same version and build, one counts.
    ///
    /// A commit is often built as `dev`, then as a release candidate, then as the release, and compilers
    /// seldom make the same bytes twice.
    private func release(
        _ source: FileSource,
        named name: String,
        on channel: ChannelName,
        isSignedHere: Bool,
        saying say: @escaping @Sendable (String) -> Void,
    ) async throws -> PublishAttempt {
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
                        + "\(owner.commit.map { String($0.prefix(10)) } ?? "unknown"); a "
                        + "build's number is how many commits lead to it, which two branches "
                        + "may have in common"
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

    /// Lines of a log; the release's page has all of them.
    private static let findingLimit = 50

    /// Known from the facts, whatever prefix the tag has.
    private var expected: ExpectedVersion? {
        (try? Version(facts.version)).map { ExpectedVersion(tag: facts.tag, version: $0) }
    }
}
