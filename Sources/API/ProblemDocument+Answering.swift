package import APIDocuments
package import HTTPServing
import HTTPTypes
package import Hummingbird
import Inspection
import NIOCore
import NIOHTTP1
import Problems
import Publishing
package import SiteServices

extension ProblemDocument {
    /// The error document for any error, with the status code of its kind.
    ///
    /// Errors of the system and of libraries are logged, but not shown to clients, who only learn that the
    /// server cannot answer.
    package init(_ error: any Error) {
        switch error {
        case let refusal as Refusal: self.init(refusal.problem, refusal.status)
        case let refusal as RefusedRequest:
            self.init(
                refusal.problem,
                HTTPResponse.Status(
                    code: Int(refusal.status.code),
                    reasonPhrase: refusal.status.reasonPhrase,
                ),
            )
        case let error as any ReportableError:
            let problem = error.problem
            self.init(problem, problem.kind.status, Self.findings(of: error))
        default:
            let refusal = Refusal.unavailable("\(error)")
            self.init(refusal.problem, refusal.status)
        }
    }

    private init(
        _ problem: Problem,
        _ status: HTTPResponse.Status,
        _ findings: [Finding]? = nil,
    ) {
        self.init(
            problem,
            status: status.code,
            title: status.reasonPhrase,
            findings: findings?.map { FindingDocument($0) },
        )
    }

    /// The findings of a rejected build.
    private static func findings(of error: any Error) -> [Finding]? {
        switch error {
        case let archive as UnreadableArchive: archive.findings
        case PublishRefusal.blocked(let report): report.findings
        default: nil
        }
    }
}

extension APIAnswer {
    /// Creates a response with the error as `application/problem+json`.
    init(refusing error: any Error) {
        let document = ProblemDocument(error)
        let status = HTTPResponse.Status(code: document.status, reasonPhrase: document.title)
        let json = try? APIAnswer.json(document)
        self.init(status: status, type: ProblemDocument.mediaType, body: json?.body ?? [])
    }
}

extension Refusal {
    /// The refusal as a response of the API.
    package func apiResponse() -> Response { APIAnswer(refusing: self).response() }
}

extension CachedResponse {
    /// Creates the response to an API request that was rejected before routing.
    package init(apiRefusal reason: RefusedRequest) {
        let answer = APIAnswer(refusing: reason)
        self.init(
            route: "refused",
            status: answer.status,
            fields: ResponseFields.of(type: answer.type, cache: "no-store"),
            body: ByteBuffer(bytes: answer.body),
        )
    }
}
