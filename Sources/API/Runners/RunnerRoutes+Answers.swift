import APIDocuments
import Access
import Foundation
import HTTPServing
import HTTPTypes
import Hummingbird
import Identifiers
import Logging
import NIOCore
import Problems
import Runners
import SiteServices

/// Authenticates runners, decodes their requests, and encodes the responses.
extension RunnerRoutes {
    /// Runs `body`, and returns errors as `application/problem+json`.
    func answering(_ body: () async throws -> Response) async throws -> Response {
        do {
            return try await body()
        } catch let error where BrokenOff.isCause(error) {
            throw Refusal.cut
        } catch let refusal as Refusal {
            throw refusal
        } catch {
            let shown = Refusal.hidingPaths(of: error, from: nil)
            var answer = APIAnswer(refusing: shown)
            let status = answer.status
            if status.code >= 500 {
                site.logger.error("a runner's request failed", metadata: ["reason": "\(error)"])
            }
            if case RunnerRefusal.wrongOffset(let file, let expected) = error {
                let document = OffsetProblem(ProblemDocument(error), file, expected)
                answer = APIAnswer(
                    status: status,
                    type: ProblemDocument.mediaType,
                    body: Array(try WireJSON.document(document).utf8),
                )
            }
            var response = answer.response()
            if status == .unauthorized {
                response.headers[.wwwAuthenticate] = "Bearer realm=\"ota runner\""
            }
            if [503, 507].contains(status.code) { response.headers[.retryAfter] = "30" }
            return response
        }
    }

    /// Authenticates the runner of a request by its token.
    ///
    /// A valid token works from every address; addresses that keep sending invalid ones are rate-limited.
    func signedIn(_ request: Request, _ context: RouteContext) async throws -> Runner {
        let words = (request.headers[.authorization] ?? "").split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bearer" else {
            throw RunnerRefusal.unknownToken
        }
        let (store, secret) = (site.store, String(words[1]))
        let guesser = Guesser(
            at: "tokens of runners",
            from: SignIn(site: site).address(request, context),
        )
        do {
            return try await site.work {
                do {
                    return try store.runners().runner(showing: secret)
                } catch RunnerRefusal.unknownToken {
                    // The token may be newer than the cached register.
                    return try store.currentRunners().runner(showing: secret)
                }
            }
        } catch let refusal as RunnerRefusal {
            try site.guesses.check(guesser, at: site.now)
            site.guesses.failed(guesser, at: site.now)
            throw refusal
        }
    }

    /// The stage in the path, for the authenticated runner.
    func visit(_ request: Request, _ context: RouteContext) async throws -> StageVisit {
        let runner = try await signedIn(request, context)
        guard let mirror = Slug(try context.text("mirror")) else { throw Refusal.notFound }
        return StageVisit(
            site: site,
            runner: runner,
            mirror: mirror,
            build: try context.number("build"),
            attempt: try context.number("attempt"),
        )
    }

    func report<Document: Decodable>(
        _ type: Document.Type,
        of request: Request,
    ) async throws -> Document {
        try await document(type, of: request, atMost: Self.reportBytes, from: .known)
    }

    /// - Throws: ``Problem`` if the body is not such a document.
    func document<Document: Decodable>(
        _ type: Document.Type,
        of request: Request,
        atMost limit: Int,
        from sender: BodyBudget.Sender,
    ) async throws -> Document {
        let body = try await GatheredBody.gather(
            request,
            atMost: limit,
            from: site.bodies,
            of: sender,
        )
        do {
            return try JSONDecoder().decode(type, from: Data(body.bytes))
        } catch let error as DecodingError {
            throw Problem.malformedBody(
                RequestReading.explanation(error),
                fix: "see /public/openapi.yaml",
            )
        }
    }

    func json(_ document: some Encodable) throws -> Response {
        try APIAnswer.json(document).response()
    }

    /// Streams bytes from the disk.
    func stream(
        _ count: Int,
        type: String,
        _ read: @escaping @Sendable (Range<Int>) throws -> [UInt8],
    ) -> Response {
        let site = site
        return APIAnswer.stream(type: type, length: count) { writer in
            var offset = 0
            while offset < count {
                let range = offset..<min(offset + (1 << 18), count)
                let piece = try await site.work { ByteBuffer(bytes: try read(range)) }
                try await writer.write(piece)
                offset = range.upperBound
            }
        }.response()
    }
}

/// An error document with the offset at which a file must be continued.
private struct OffsetProblem: Encodable {
    private let problem: ProblemDocument
    private let file: RunnerRefusal.StageFile
    private let expected: Int

    private enum CodingKeys: String, CodingKey {
        case logBytes, archiveBytes
    }

    init(_ problem: ProblemDocument, _ file: RunnerRefusal.StageFile, _ expected: Int) {
        self.problem = problem
        self.file = file
        self.expected = expected
    }

    func encode(to encoder: any Encoder) throws {
        try problem.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(expected, forKey: file == .log ? .logBytes : .archiveBytes)
    }
}
