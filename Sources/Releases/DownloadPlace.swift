/// Where phones fetch the IPA of a release from.
package enum DownloadPlace: Sendable, Equatable {
    /// This server.
    case server
    /// The store that this server has in a bucket, at an address that is signed for a while.
    case store
    /// This server, which answers `HEAD` and leads `GET` to an address of the store that is signed for a
    /// while: some versions of iOS do not follow.
    case redirect
    /// A network of caches in front of the store: its address stands for the store's folder.
    case network(BaseURL)

    /// Reads `server`, `direct`, `redirect`, or the HTTPS address of a network.
    ///
    /// - Throws: ``MalformedBaseURL``.
    package init(_ text: String) throws(MalformedBaseURL) {
        switch text {
        case "server": self = .server
        case "direct": self = .store
        case "redirect": self = .redirect
        default: self = .network(try BaseURL(text))
        }
    }
}
