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
    /// Behind the server's address, percent-encoded: `/api/v1/apps?limit=5`.
    package let path: String
    /// Beside those that every request has.
    package var fields: [(name: String, value: String)] = []
    /// Nil for none.
    package var body: [UInt8]?

    package init(_ method: Method, _ path: String) {
        self.method = method
        self.path = path
    }
}

/// What came back.
package struct ServerAnswer: Sendable {
    package let status: Int
    package let fields: [(name: String, value: String)]
    package let body: [UInt8]

    /// The first field of a name, whatever its case.
    package subscript(name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}
