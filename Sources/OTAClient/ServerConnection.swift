import AsyncHTTPClient

/// A running server that the command line talks to.
package struct ServerConnection: Sendable {
    package let url: String

    package init(url: String) {
        self.url = url
    }
}
