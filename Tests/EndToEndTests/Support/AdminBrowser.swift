import Foundation
import Phone
import Testing

/// A browser in which an admin is signed in.
struct AdminBrowser: Sendable {
    private struct Token: Decodable {
        let secret: String
    }

    private let browser: Browser
    private let base: String
    private let cookie: String

    /// Creates a token and signs in with it.
    init(on server: ServedStore) async throws {
        let token = try await server.json(
            "tokens",
            "create",
            "--name",
            "ada",
            "--scope",
            "admin",
            as: Token.self,
        ).secret
        base = server.base
        browser = try Browser(like: try await server.phone())
        let answer = try await browser.post(
            "\(server.base)/admin/sign-in",
            "token=\(token)",
            fields: ["Origin": server.base],
        )
        let field = try #require(answer.fields["set-cookie"], "\(answer.text)")
        cookie = String(field.prefix { $0 != ";" })
    }

    /// Returns the page of a build.
    func build(_ number: Int, of mirror: String) async throws -> String {
        let answer = try await browser.get(
            "\(base)/admin/mirrors/\(mirror)/builds/\(number)",
            fields: ["Cookie": cookie],
        )
        #expect(answer.status == 200)
        return answer.text
    }
}
