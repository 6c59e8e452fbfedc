import Access
import Bytes
import Foundation
import HTTPTypes
import Inspection
import Publishing
import SiteServices
import Store
import Uploads

/// An error as JSON: what, where, how to fix it, and the findings of a build.
struct UploadProblem {
    let status: Int
    private let id: String
    private let message: String
    private let place: String
    private let fix: String
    private var findings: [FindingDocument]?

    var answer: UploadAnswer {
        UploadAnswer(status: status, body: (try? WireJSON.document(Document(self))) ?? "{}\n")
    }

    private struct Document: Encodable {
        struct Failure: Encodable {
            let id, message, place, fix: String
            let findings: [FindingDocument]?
        }

        let error: Failure

        init(_ failure: UploadProblem) {
            error = Failure(
                id: failure.id,
                message: failure.message,
                place: failure.place,
                fix: failure.fix,
                findings: failure.findings,
            )
        }
    }
}

extension UploadProblem {
    /// The only place where errors of an upload become statuses.
    init(_ error: any Error) {
        switch error {
        case let refusal as UploadRefusal:
            self.init(refusal.status, refusal.id, "\(refusal)", refusal.place, refusal.fix)
        case let archive as UnreadableArchive:
            let first = archive.findings.first
            self.init(
                422,
                first?.id ?? "archive.unreadable",
                first?.message ?? "the archive cannot be read",
                first?.place ?? "",
                first?.fix ?? "",
            )
            findings = archive.findings.map { FindingDocument($0) }
        case let refusal as PublishRefusal:
            self.init(422, refusal.id, "\(refusal)", refusal.place, refusal.fix)
            if case .blocked(let report) = refusal {
                findings = report.findings.map { FindingDocument($0) }
            }
        case let refusal as ReleaseRefusal:
            self.init(409, refusal.id, "\(refusal)", "", refusal.fix)
        case let refusal as TokenRefusal:
            self.init(
                401,
                "token.refused",
                "\(refusal)",
                "",
                "create a new token: ota tokens create",
            )
        case let failure as StoreFailure:
            self.init(failure.isLackOfRoom ? 507 : 503, failure.id, "\(failure)", "", failure.fix)
        case let refusal as Refusal:
            self.init(
                Int(refusal.status.code),
                "http.\(refusal.status.code)",
                refusal.message,
                "",
                "",
            )
        default:
            self.init(
                503,
                "server.failure",
                "the server failed to process the upload",
                "",
                "try again later",
            )
        }
    }

    private init(
        _ status: Int,
        _ id: String,
        _ message: String,
        _ place: String,
        _ fix: String,
    ) {
        self.status = status
        self.id = id
        self.message = message
        self.place = place
        self.fix = fix
    }
}
