import Bundles
import Bytes
import Cryptography
import Foundation
import GitRepositories
import Inspection
import Mirrors
import Publishing
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
                let artifact = try await take(file, saying: say)
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
        saying say: @escaping @Sendable (String) -> Void,
    ) async throws -> MirrorRun.Artifact {
        let name = PrintableText(escaping: file.path, limit: 200).text
        do {
            return try await deliver(file, named: name, saying: say)
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
        saying say: @escaping @Sendable (String) -> Void,
    ) async throws -> MirrorRun.Artifact {
        if file.isFolder {
            if file.path.lowercased().hasSuffix(".xcarchive") {
                return try await deliverArchive(file, named: name, saying: say)
            }
            return try await keepFolder(file, named: name, because: nil, saying: say)
        }
        guard file.path.lowercased().hasSuffix(".ipa"), let channel else {
            return try await keep(file, named: name, saying: say)
        }
        let source = try checkout.file(at: file.path)
        var artifact = try await offer(source, as: file, named: name, on: channel, saying: say)
        artifact.bytes = file.bytes
        return artifact
    }

    /// Publishes an IPA.
    func offer(
        _ source: FileSource,
        as file: ArtifactSearch.Found,
        named name: String,
        on channel: ChannelName,
        saying say: @escaping @Sendable (String) -> Void,
    ) async throws -> MirrorRun.Artifact {
        var artifact: MirrorRun.Artifact
        do {
            let release = try await release(source, named: name, on: channel, saying: say)
            artifact = MirrorRun.Artifact(path: file.path, outcome: .published)
            artifact.app = release.bundleIdentifier.rawValue
            artifact.release = release.identifier.rawValue
            artifact.channel = channel.rawValue
            say("published \(name): \(release.name) \(release.identifier) on \(channel)")
        } catch let failure where Self.isAboutTheBuild(failure) {
            artifact = MirrorRun.Artifact(path: file.path, outcome: .refused)
            artifact.detail = PrintableText(escaping: "\(failure)", limit: 1000).text
            say("error: \(name) is not published: \(artifact.detail ?? "")")
            if let fix = Self.fix(failure) { say("fix: \(fix)") }
        }
        return artifact
    }

    /// As far as it fits what a mirror does: some of `ota publish` name its options.
    private static func fix(_ failure: any Error) -> String? {
        switch failure {
        case let refusal as MirrorRefusal: refusal.fix
        case let refusal as ReleaseRefusal:
            if case .withdrawn = refusal { refusal.fix } else { nil }
        case let archive as UnreadableArchive: archive.findings.first?.fix
        case PublishRefusal.blocked(let report):
            report.findings.first(where: \.blocksEveryDevice)?.fix
        default: nil
        }
    }

    /// Everything else is the server's trouble, and fails the build as such.
    private static func isAboutTheBuild(_ failure: any Error) -> Bool {
        failure is PublishRefusal || failure is ReleaseRefusal || failure is UnreadableArchive
            || failure is MirrorRefusal
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
        saying say: @escaping @Sendable (String) -> Void,
    ) async throws -> Release {
        do {
            return try await publish(source, on: channel, replacing: run.isRebuild, saying: say)
        } catch let refusal as ReleaseRefusal {
            let sibling = SiblingRelease(
                of: refusal,
                for: mirror,
                commit: facts.commit,
                in: store,
            )
            guard let there = try sibling.found() else {
                if let owner = try sibling.owner(), owner.commit != facts.commit.description {
                    say(
                        "\(owner.identifier) was built from commit "
                            + "\(owner.commit.map { String($0.prefix(10)) } ?? "unknown"); a "
                            + "build's number is how many commits lead to it, which two branches "
                            + "may have in common"
                    )
                }
                throw refusal
            }
            guard sibling.givesWay(there, to: facts) else {
                say("\(there.identifier) was already built from this commit; its file stays")
                if there.channel != channel {
                    let promotion = try store.promote(
                        there.identifier,
                        of: there.bundleIdentifier,
                        to: channel,
                        by: mirror.publisher,
                        at: date,
                    )
                    Self.tell(promotion.findings, saying: say)
                }
                return there
            }
            let origin = there.tag.map { "tag \($0)" } ?? "no tag"
            say("the build of tag \(facts.tag) replaces the build of this commit for \(origin)")
            return try await publish(source, on: channel, replacing: true, saying: say)
        }
    }

    private func publish(
        _ source: FileSource,
        on channel: ChannelName,
        replacing: Bool,
        saying say: (String) -> Void,
    ) async throws -> Release {
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
        let published = try await blocking { try publish.file(source.path) }
        Self.tell(published.report.findings, saying: say)
        for remark in published.remarks { say(remark) }
        return published.release
    }

    private static func tell(_ findings: [Finding], saying say: (String) -> Void) {
        var told: Set<String> = []
        for finding in findings where finding.severity != .notes {
            let line = "warning: \(finding.id): \(finding.message) \(finding.fix)"
            guard told.count < findingLimit, told.insert(line).inserted else { continue }
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
