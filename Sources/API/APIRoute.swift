import APIDocuments
import Access
import HTTPTypes

/// One address of `/api/v1`, what it takes, who may, and what answers.
struct APIRoute: Sendable {
    typealias Right = ActionRoute.Right

    let method: HTTPRequest.Method
    /// Behind `/api/v1`, as in `/apps/{app}`.
    let path: String
    let right: Right
    /// The names that a query may have.
    let query: Set<String>
    /// Bytes of a body; 0 for a request that has none.
    let bodyLimit: Int
    /// Whether it takes the body off the connection itself, as it comes.
    let takesBody: Bool
    /// What it performs; nil for an answer that no command has, such as a log as it grows.
    let action: (any Action.Type)?
    let answer: @Sendable (APICall) async throws -> APIAnswer

    init(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ right: Right,
        query: Set<String> = [],
        bodyLimit: Int = 0,
        takesBody: Bool = false,
        action: (any Action.Type)? = nil,
        answer: @escaping @Sendable (APICall) async throws -> APIAnswer,
    ) {
        self.method = method
        self.path = path
        self.right = right
        self.query = query
        self.bodyLimit = bodyLimit
        self.takesBody = takesBody
        self.action = action
        self.answer = answer
    }

    /// What everything begins with.
    static let root = "/api/v1"
}
