import APIDocuments
import Access
import HTTPTypes

/// A method and path of `/api/v1`, its input, the right that it needs, and its handler.
struct APIRoute: Sendable {
    typealias Right = ActionRoute.Right

    let method: HTTPRequest.Method
    /// The path after `/api/v1`, such as `/apps/{app}`.
    let path: String
    let right: Right
    /// The allowed query parameters.
    let query: Set<String>
    /// The largest body in bytes; 0 for a request without one.
    let bodyLimit: Int
    /// Whether it streams the body from the connection.
    let takesBody: Bool
    /// The performed action; nil for a response that is not an action's, such as a growing log.
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

    /// The prefix of all paths.
    static let root = "/api/v1"
}
