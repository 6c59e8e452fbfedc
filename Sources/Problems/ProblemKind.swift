extension Problem {
    /// The kind of a problem.
    ///
    /// `HTTPServing` maps kinds to HTTP statuses, and `OTACommands` to exit statuses.
    package enum Kind: String, Codable, CaseIterable, Sendable {
        /// The input cannot be parsed.
        case malformed
        /// The sender is not authenticated.
        case unauthorised
        /// The sender is authenticated, but not allowed to do it.
        case refused
        case notFound
        /// The request conflicts with the present state.
        case conflict
        /// The object existed, but was removed permanently.
        case gone
        /// The sender's version of the object is outdated.
        case changedMeanwhile
        case tooLarge
        /// The content type is not supported.
        case unsupported
        /// The input can be parsed, but has a value that is not allowed.
        case invalid
        /// The sender has exceeded a rate limit.
        case tooMany
        /// The server is overloaded; the request can be repeated later.
        case busy
        /// Something that the request depends on is not available at the moment.
        case unavailable
        /// The disk or a quota is full.
        case outOfRoom
        /// Any other failure.
        case failed
    }
}
