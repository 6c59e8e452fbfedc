import APIDocuments
import Administration
import Foundation
import Problems
import Releases

extension RemoteAdministration {
    func get<Document: Decodable>(
        _ path: [String],
        _ query: [(name: String, value: String)] = [],
    ) async throws -> Document {
        try await document(ServerRequest(.get, Self.target(path, query)))
    }

    func send<Document: Decodable>(
        _ method: ServerRequest.Method,
        _ path: [String],
        _ query: [(name: String, value: String)] = [],
    ) async throws -> Document {
        try await document(ServerRequest(method, Self.target(path, query)))
    }

    func send<Document: Decodable>(
        _ method: ServerRequest.Method,
        _ path: [String],
        _ body: some Encodable,
    ) async throws -> Document {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        var request = ServerRequest(method, Self.target(path, []))
        request.fields = [("content-type", "application/json")]
        request.body = Array(try encoder.encode(body))
        return try await document(request)
    }

    /// - Throws: ``ServerFailure`` with what the server says when it does not do what was asked.
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
        let answer = try await connection.answer(to: request)
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

    /// Every part is escaped whole: a name may hold a slash.
    static func target(
        _ path: [String],
        _ query: [(name: String, value: String)],
    ) -> String {
        let parts = path.map { "/" + InstallLink.percentEncoded($0) }.joined()
        let pairs = query.map { "\($0.name)=\(InstallLink.percentEncoded($0.value))" }
        return "/api/v1" + parts + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))
    }
}
