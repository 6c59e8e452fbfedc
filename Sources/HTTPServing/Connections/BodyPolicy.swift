/// How the server treats the body of a request before a route handles the request.
package struct BodyPolicy: Sendable {
    /// For a request without a body.
    static let none = BodyPolicy(limit: 0, isTaken: false)

    /// Bytes beyond which the request is refused; nil if the route enforces the limit.
    package let limit: Int?
    /// Whether the body is passed in whole windows to threads that may block on the disk.
    package let isTaken: Bool

    /// - Parameters:
    ///   - limit: bytes beyond which the request is refused; nil if the route enforces the limit.
    ///   - isTaken: whether the route reads the body with `Channel.takeBody`.
    package init(limit: Int?, isTaken: Bool) {
        self.limit = limit
        self.isTaken = isTaken
    }
}
