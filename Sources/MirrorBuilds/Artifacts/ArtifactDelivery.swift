import Bundles
import Bytes
import Cryptography
import Essentials
import Mirrors
import ReleaseSigning
import Sandboxing
import Store
import Versions

/// Delivers the files that a build made: an IPA becomes a release, everything else is kept with the build.
struct ArtifactDelivery: Sendable {
    let store: OTAStore
    let anchors: TrustAnchors
    let mirror: Mirror
    let run: MirrorRun
    let facts: VersionFacts
    let pipeline: Pipeline
    let checkout: OpenFolder
    /// The absolute path to which an Xcode archive is packed, where the build cannot write.
    let package: String
    /// Signs unsigned builds; nil if nothing on this machine can.
    let signer: (any BuildSigner)?
    /// Whether the build failed before its artifacts were delivered: files are then kept with the build and
    /// never published, and missing files are not reported.
    var hasFailed = false
    /// Called before a build is published; throws if the build must no longer be published.
    let beginsPublishing: @Sendable () async throws -> Void
    let date: Date

    /// Delivers all artifacts.
    ///
    /// `record` receives the artifacts delivered so far, which stay recorded if a later file fails.
    ///
    /// - Returns: the reason for which the build fails; nil if it does not.
    func deliver(
        saying say: @escaping @Sendable (String) -> Void,
        recording record: ([MirrorRun.Artifact]) async throws -> Void,
    ) async throws -> String? {
        var artifacts: [MirrorRun.Artifact] = []
        var failure: String?
        for rule in pipeline.artifacts where rule.conditions.hold(for: run) {
            let search = ArtifactSearch(rule.path, in: checkout)
            let found = await blocking { search.found() }
            if found.isEmpty, !hasFailed {
                let why = search.isOfRepository ? ", because files in .git are left out" : ""
                let words = "no file matches \(rule.path)\(why)"
                if rule.ifMissing != .ignore {
                    say("\(rule.ifMissing == .warn ? "warning" : "error"): \(words)")
                    artifacts.append(.init(path: rule.path, outcome: .missing))
                }
                if rule.ifMissing == .error { failure = failure ?? words }
            }
            for file in found where !artifacts.contains(where: { $0.path.isBytes(of: file.path) }) {
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

    /// Delivers one file.
    ///
    /// An unreadable file must not cost the build its other files.
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
            if file.path.hasBytes(lastInAnyCase: ".xcarchive") {
                return try await deliverArchive(file, named: name, by: rule, saying: say)
            }
            if file.path.hasBytes(lastInAnyCase: ".app"), let channel {
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
        guard file.path.hasBytes(lastInAnyCase: ".ipa"), let channel else {
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
}
