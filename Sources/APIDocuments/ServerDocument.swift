package import Access

/// The server, and the token of the request.
package struct ServerDocument: Codable, Equatable, Sendable {
    package struct Holder: Codable, Equatable, Sendable {
        package let name: String
        package let scopes: [Scope]
    }

    package var schema = 1
    package let version: String
    /// The base URL for testers.
    package let baseURL: String
    /// The token of the request.
    package let token: Holder

    package init(version: String, baseURL: String, holder: Principal) {
        self.version = version
        self.baseURL = baseURL
        token = Holder(name: holder.name, scopes: holder.scopes)
    }
}
