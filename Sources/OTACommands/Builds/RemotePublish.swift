import APIDocuments
import Administration
import Bytes
import Cryptography
import Foundation
import Inspection
import OTAClient
import Problems
import Publishing
import Releases
import Uploads

/// `ota publish --server`: the build is checked locally first, so that a refusal costs no upload, then
/// sent.
struct RemotePublish {
    let build: BuildFile
    let anchors: TrustAnchors
    let options: PublishOptions
    let server: String
    let bar: ProgressBar
    let clock: @Sendable () -> Date

    /// - Throws: `UnreadableArchive`, `PublishRefusal.blocked`, `UploadFailure`, and ``Problem`` with the
    ///   server's problem.
    func run(over client: UploadClient) async throws -> RemotePublishResult {
        let report = try inspect()
        guard !report.findings.contains(where: \.blocksEveryDevice) else {
            throw PublishRefusal.blocked(report)
        }
        if let version = report.identity.version { try options.check(version: version) }
        let meter = ProgressMeter(bar, size: report.identity.size, clock: clock)
        let answer: UploadAnswer
        do {
            answer = try await client.publish(offer(report), from: build.path) { meter.show($0) }
        } catch let failure as UploadFailure {
            throw Problem(failure, by: server)
        }
        guard (200..<300).contains(answer.status) else {
            throw Problem(refusal: answer, by: server)
        }
        var result = try RemotePublishResult(answer, report: report, date: options.date)
        result.isDryRun = options.isDryRun
        guard result.sha256 == "\(report.identity.sha256)" else {
            throw Problem(
                id: "upload.wrong-digest",
                kind: .conflict,
                message: "the server published a different file than this one",
                place: build.path,
                fix: "publish again; another job may have published this version in the meantime",
            )
        }
        return result
    }

    private func inspect() throws -> InspectionReport {
        let source = try build.source()
        return try Examination(anchors: anchors, date: options.date)
            .inspect(source) { bar.update($0.title, fraction: $0.fraction) }
            .report
    }

    private func offer(_ report: InspectionReport) -> UploadOffer {
        let identity = report.identity
        var offer = UploadOffer(size: identity.size, sha256: identity.sha256)
        offer.app = identity.bundleIdentifier
        // A version or build that does not fit a field is left out; the server reads it from the archive. A
        // check omits both, so that even a server that has the bytes asks for them: an older server would
        // publish the build.
        offer.checkOnly = options.isDryRun
        if !options.isDryRun {
            offer.version = identity.version.flatMap(Self.word)
            offer.build = identity.build.flatMap(Self.word)
        }
        offer.channel = options.channel
        offer.expires = options.channelLife
        offer.notes = options.notes
        offer.tag = options.tag
        offer.commit = options.commit
        offer.replace = options.replace
        offer.allowVersionMismatch = options.allowsOtherVersion
        offer.origin = options.origin
        return offer
    }

    private static func word(_ text: String) -> String? {
        let limit = UploadOffer.wordLimit
        let isPlain = PrintableText(escaping: text, limit: limit).text == text
        return isPlain && (1...limit).contains(text.utf8.count) ? text : nil
    }
}

extension Problem {
    /// Reads the server's problem from a refused upload.
    init(refusal answer: UploadAnswer, by server: String) {
        guard let said = Problem(body: answer.body.utf8, status: answer.status) else {
            self.init(
                id: "server.refused",
                kind: .refused,
                message: "the server refused with status \(answer.status)",
                place: server,
                fix: "check --server and the token",
            )
            return
        }
        self = ServerFailure.refused(said).problem.located(at: server)
    }

    init(_ failure: UploadFailure, by server: String) {
        if case .unable(let answer, _) = failure {
            self.init(refusal: answer, by: server)
        } else {
            self = failure.problem.located(at: server)
        }
    }

    /// The same problem, with the server as its place if it has none.
    private func located(at server: String) -> Problem {
        guard place.isEmpty else { return self }
        return Problem(id: id, kind: kind, message: message, place: server, fix: fix)
    }
}
