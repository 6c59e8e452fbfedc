import Bytes
import GitRepositories
import Mirrors
import Releases
import Versions

/// What a build reads from the mirror's repository.
extension Build {
    /// Whether the build may receive the secrets: its reference is trusted or, if a commit was named, a
    /// trusted reference points to that commit now.
    func isTrusted(in repository: BareRepository) async throws -> Bool {
        if let reference = run.reference { return mirror.trusts(reference) }
        return try await repository.references()
            .contains { $0.commit == commit && mirror.trusts($0.name) }
    }

    /// The pipeline that the admin set for the mirror, or else the one in the commit.
    func pipeline(in repository: BareRepository) async throws -> Pipeline {
        if let text = mirror.pipeline { return try Pipeline(yaml: text) }
        let path = mirror.pipelinePath
        let bytes: [UInt8]?
        do {
            bytes = try await repository.file(path, at: commit, limit: Pipeline.sizeLimit)
        } catch GitFailure.tooMuchOutput {
            throw BuildStop.failed("`\(path)` has more than \(Pipeline.sizeLimit >> 10) KiB")
        }
        guard let bytes else { throw BuildStop.skipped("no `\(path)` in the commit") }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw BuildStop.failed("`\(path)` is not UTF-8")
        }
        return try Pipeline(yaml: text)
    }

    func facts(in repository: BareRepository) async throws -> VersionFacts {
        let choice: TagChoice =
            if let tag = run.tag { .named(try TagName(tag), prefix: mirror.prefix) } else {
                .none(prefix: mirror.prefix)
            }
        return try await repository.git.versionFacts(of: commit, choosing: choice).facts
    }
}
