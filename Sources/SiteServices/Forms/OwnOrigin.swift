package import HTTPTypes
package import Hummingbird
package import Releases

/// Whether a form was sent from a page of this server (Fetch standard, `Origin` and
/// `Sec-Fetch-Site`).
///
/// A browser names the site of every form that it sends; a client that names none is not a browser,
/// and has no cookies that another site could abuse.
package enum OwnOrigin {
    /// - Throws: ``Refusal/forgedForm`` for a form of another site's.
    package static func check(_ request: Request, base: BaseURL) throws(Refusal) {
        try checkSite(request)
        guard let origin = request.headers[.origin] else { return }
        // Behind a proxy the request may name another host than the one that the browser sees.
        let own = [base.origin, request.head.authority.map { "https://" + $0.lowercased() }]
        guard own.contains(origin.lowercased()) else { throw .forgedForm }
    }

    /// The same for a form of a page with `Referrer-Policy: no-referrer`, whose `Origin` is `null`.
    ///
    /// - Throws: ``Refusal/forgedForm`` for a form of another site's.
    package static func checkSite(_ request: Request) throws(Refusal) {
        guard let site = request.headers[.secFetchSite] else { return }
        guard site == "same-origin" else { throw .forgedForm }
    }
}

extension BaseURL {
    /// Scheme, host and port, as a browser writes them.
    fileprivate var origin: String { "https://" + host + (port.map { ":\($0)" } ?? "") }
}

extension HTTPField.Name {
    package static let secFetchSite = HTTPField.Name("sec-fetch-site") ?? .server
    package static let secFetchDest = HTTPField.Name("sec-fetch-dest") ?? .server
}
