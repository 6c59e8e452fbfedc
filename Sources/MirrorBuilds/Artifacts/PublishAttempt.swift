import Bytes
import Cryptography
import Inspection
import Mirrors
import Publishing
import Releases
import Sandboxing
import Store

/// The result of submitting a build's IPA to the store.
enum PublishAttempt: Sendable {
    case published(Release)
    /// The version and build number belong to a release with different bytes.
    case taken(ReleaseIdentifier, SHA256Digest, Reason)
    /// Something is wrong with the build.
    case refused(Reason)

    /// Why a build is not published, for the log.
    struct Reason: Sendable {
        let words: String
        /// Nil if the fix that `ota publish` suggests names options that a mirror does not have.
        let fix: String?
        /// Whether the build is unsigned, so that the server may sign it if the app is set to that.
        var isUnsigned = false
    }

    /// Runs a change of the store that may be refused, on a thread that may block.
    ///
    /// - Parameter body: publishes or promotes, and returns the release.
    /// - Returns: the result.
    /// - Throws: errors of the server, not of the build.
    static func outcome(
        of body: @escaping @Sendable () throws -> Release
    ) async throws -> PublishAttempt {
        try await blocking {
            do {
                return .published(try body())
            } catch {
                return try PublishAttempt(refusedBy: error)
            }
        }
    }

    /// The only place that turns refusals into values.
    private init(refusedBy failure: any Error) throws {
        var reason = Reason(
            words: PrintableText(escaping: "\(failure)", limit: 1000).text,
            fix: Self.fix(for: failure),
        )
        if case PublishRefusal.blocked(let report) = failure {
            reason.isUnsigned = report.profile == nil || report.signature?.identifier == nil
        }
        switch failure {
        case ReleaseRefusal.otherBytes(let identifier, let digest):
            self = .taken(identifier, digest, reason)
        case is ReleaseRefusal, is PublishRefusal, is UnreadableArchive, is MirrorRefusal:
            self = .refused(reason)
        default: throw failure
        }
    }

    private static func fix(for failure: any Error) -> String? {
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
}
