/// What happens to the body of a request before any route is asked.
package struct BodyPolicy: Sendable {
    /// For a request that brings no body.
    static let none = BodyPolicy(limit: 0, isTaken: false)

    /// Bytes beyond which the request is refused; nil where the route counts them.
    package let limit: Int?
    /// Whether whole windows of it go to threads that may wait for the disk.
    package let isTaken: Bool

    /// - Parameters:
    ///   - limit: bytes beyond which the request is refused; nil where the route counts them.
    ///   - isTaken: whether the route hands the body on with `Channel.takeBody`.
    package init(limit: Int?, isTaken: Bool) {
        self.limit = limit
        self.isTaken = isTaken
    }
}
