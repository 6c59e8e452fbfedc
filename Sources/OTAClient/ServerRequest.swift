/// One request to a server's API.
package struct ServerRequest: Sendable {
    package enum Method: String, Sendable {
        case get = "GET"
        case head = "HEAD"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    package let method: Method
    /// The path after the server's URL, percent-encoded: `/api/v1/apps?limit=5`.
    package let path: String
    /// Fields in addition to those of every request.
    package var fields: [(name: String, value: String)] = []
    /// Nil for a request without a body.
    package var body: [UInt8]?

    /// - Parameters:
    ///   - method: the method.
    ///   - path: the path and query after the server's URL, percent-encoded.
    package init(_ method: Method, _ path: String) {
        self.method = method
        self.path = path
    }
}

/// The response to a request.
package struct ServerAnswer: Sendable {
    package let status: Int
    package let fields: [(name: String, value: String)]
    package let body: [UInt8]

    /// The first field with a name, case-insensitively.
    package subscript(name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}
