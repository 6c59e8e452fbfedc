package import HTTPTypes
package import Hummingbird
package import Releases

/// Checks that a form was sent from a page of this server (Fetch standard, `Origin` and
/// `Sec-Fetch-Site`).
///
/// Browsers send these fields with every form; a client that sends neither is not a browser, and has no
/// cookies that another site could abuse.
package enum OwnOrigin {
    /// - Throws: ``Refusal/forgedForm`` for a form of another site.
    package static func check(_ request: Request, base: BaseURL) throws(Refusal) {
        try checkSite(request)
        guard let origin = request.headers[.origin] else { return }
        // Behind a proxy the request's host may differ from the one that the browser uses.
        let own = [base.origin, request.head.authority.map { "https://" + $0.lowercased() }]
        guard own.contains(origin.lowercased()) else { throw .forgedForm }
    }

    /// Checks the same for a form on a page with `Referrer-Policy: no-referrer`, whose `Origin` is
    /// `null`.
    ///
    /// - Throws: ``Refusal/forgedForm`` for a form of another site.
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
