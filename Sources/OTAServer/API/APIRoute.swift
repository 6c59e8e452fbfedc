import Access
import HTTPTypes

/// One address of `/api/v1`, what it takes, who may, and what answers.
struct APIRoute: Sendable {
    /// What a token must allow.
    enum Right: Sendable {
        /// Whatever token is in use.
        case anyToken
        /// On the app that `{app}` names; who may not look at it finds no such app.
        case onApp(Scope.Action)
        /// On all apps, and on what belongs to none.
        case everywhere(Scope.Action)
    }

    let method: HTTPRequest.Method
    /// Behind `/api/v1`, as in `/apps/{app}`.
    let path: String
    let right: Right
    /// The names that a query may have.
    let query: Set<String>
    /// Bytes of a body; 0 for a request that has none.
    let bodyLimit: Int
    let answer: @Sendable (APICall) async throws -> APIAnswer

    init(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ right: Right,
        query: Set<String> = [],
        bodyLimit: Int? = nil,
        answer: @escaping @Sendable (APICall) async throws -> APIAnswer,
    ) {
        self.method = method
        self.path = path
        self.right = right
        self.query = query
        let hasBody = [.post, .put, .patch].contains(method)
        self.bodyLimit = bodyLimit ?? (hasBody ? Self.usualBodyLimit : 0)
        self.answer = answer
    }

    /// What everything begins with.
    static let root = "/api/v1"

    private static let usualBodyLimit = 16 << 10
}
