/// Where phones download the IPA of a release.
package enum DownloadPlace: Sendable, Equatable {
    /// This server.
    case server
    /// The bucket of this server's store, with presigned URLs.
    case store
    /// This server, which answers `HEAD` and redirects `GET` to a presigned URL of the bucket; some
    /// versions of iOS do not follow the redirect.
    case redirect
    /// A CDN in front of the store, whose URL corresponds to the store's folder.
    case network(BaseURL)

    /// Parses `server`, `direct`, `redirect`, or the HTTPS URL of a CDN.
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
