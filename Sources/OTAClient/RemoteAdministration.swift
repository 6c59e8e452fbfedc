package import APIDocuments
import Foundation
import Problems
import Releases

/// A running server on which commands act, with the same documents as for a store on this machine.
package struct RemoteAdministration: Sendable {
    let connection: ServerConnection

    /// - Parameter connection: the connection to the server, with the token that authorises actions.
    package init(_ connection: ServerConnection) {
        self.connection = connection
    }

    /// Sends an action to the server, which performs it with the token's permissions.
    ///
    /// - Returns: the server's document.
    /// - Throws: ``ServerFailure``, with the server's problem if it refuses.
    package func perform<Sent: Action>(_ action: Sent) async throws -> Sent.Answer
    where Sent.Answer: Decodable {
        let (path, query) = try action.address
        var request = ServerRequest(
            ServerRequest.Method(Sent.route.method),
            Self.target(path, query),
        )
        if Sent.Content.self != NoContent.self {
            let encoder = JSONEncoder()
            encoder.dateEncodingStrategy = .iso8601
            request.fields = [("content-type", "application/json")]
            request.body = Array(try encoder.encode(action.content))
        }
        return try await document(request)
    }

    /// Throws unless the status is a success.
    ///
    /// - Throws: ``ServerFailure``, with the server's problem if there is one.
    func check(_ answer: ServerAnswer) throws(ServerFailure) {
        guard !(200..<300).contains(answer.status) else { return }
        guard let problem = Problem(body: answer.body, status: answer.status) else {
            throw .notUnderstood(connection.url, status: answer.status)
        }
        throw .refused(problem)
    }

    private func document<Document: Decodable>(
        _ request: ServerRequest
    ) async throws -> Document {
        try document(of: try await connection.answer(to: request))
    }

    /// Decodes the document in a response.
    ///
    /// - Throws: ``ServerFailure`` if the server refuses, or the body is something else.
    func document<Document: Decodable>(of answer: ServerAnswer) throws -> Document {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let data = Data(answer.body)
        try check(answer)
        if let schema = try? decoder.decode(Schema.self, from: data).schema, schema > 1 {
            throw ServerFailure.newer(connection.url, schema: schema)
        }
        do {
            return try decoder.decode(Document.self, from: data)
        } catch {
            throw ServerFailure.notUnderstood(connection.url, status: answer.status)
        }
    }

    private struct Schema: Decodable {
        let schema: Int
    }

    /// The target of a request (RFC 9112, section 3.2); each component is percent-encoded completely,
    /// because a name may contain a slash.
    static func target(
        _ path: [String],
        _ query: [(name: String, value: String)],
    ) -> String {
        let parts = path.map { "/" + InstallLink.percentEncoded($0) }.joined()
        let pairs = query.map { "\($0.name)=\(InstallLink.percentEncoded($0.value))" }
        return "/api/v1" + parts + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))
    }
}

extension ServerRequest.Method {
    fileprivate init(_ method: ActionRoute.Method) {
        self =
            switch method {
            case .get: .get
            case .post: .post
            case .put: .put
            case .patch: .patch
            case .delete: .delete
            }
    }
}
