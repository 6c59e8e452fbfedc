extension Problem {
    /// What sort of problem it is.
    ///
    /// `HTTPServing` has the one table of statuses of HTTP, `OTACommands` that of exit statuses.
    package enum Kind: String, Codable, CaseIterable, Sendable {
        /// What was sent cannot be read as what it should be.
        case malformed
        /// No one has proven who they are.
        case unauthorised
        /// Someone is known, and may not.
        case refused
        case notFound
        /// What was asked for contradicts what is there.
        case conflict
        /// What was asked for was there, and will not be again.
        case gone
        /// The sender has seen an earlier state than the present one.
        case changedMeanwhile
        case tooLarge
        /// A type of content that is not read here.
        case unsupported
        /// It can be read, but has a value that is not allowed.
        case invalid
        /// The same sender asks for too much in a given time.
        case tooMany
        /// Others ask for so much at the moment that it must wait.
        case busy
        /// Something that it needs does not work at the moment.
        case unavailable
        /// The disk, or a share of it, is full.
        case outOfRoom
        /// Something went wrong that nothing above describes.
        case failed
    }
}
