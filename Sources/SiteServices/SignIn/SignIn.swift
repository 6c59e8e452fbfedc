package import Access
import Bundles
import Foundation
package import HTTPServing
import HTTPTypes
package import Hummingbird
package import Identifiers
import Releases
import Store

/// Authenticates requests.
package struct SignIn: Sendable {
    /// Seconds for which an admin stays signed in.
    package static let sessionTime = Session.Kind.admin.lifetime

    private let site: Site

    /// - Parameter site: provides the sessions and tokens.
    package init(site: Site) {
        self.site = site
    }

    /// Returns the holder of the bearer token or of the admin's cookie.
    ///
    /// - Throws: ``Refusal/notSignedIn`` without a valid token or session,
    ///   ``Refusal/tooManyGuesses(wait:)`` for an address that keeps sending wrong tokens.
    package func principal(_ request: Request, _ context: RouteContext) async throws -> Principal {
        guard let bearer = request.headers[.authorization] else {
            return try await admin(request).principal
        }
        return try await principal(bearing: bearer, request, context)
    }

    /// Returns the holder of the bearer token.
    ///
    /// A cookie does not count here, because another site could make a browser send it.
    package func bearer(_ request: Request, _ context: RouteContext) async throws -> Principal {
        guard let bearer = request.headers[.authorization] else { throw Refusal.notSignedIn }
        return try await principal(bearing: bearer, request, context)
    }

    /// Returns the holder of the bearer token, or the admin by cookie if the request is from an admin
    /// page.
    ///
    /// Another site could make a browser send the cookie, but not the form code of the admin's session,
    /// which the field `OTA-Form` must contain.
    ///
    /// - Throws: as ``principal(_:_:)``, and ``Refusal/forgedForm`` for a request from another site.
    package func uploader(_ request: Request, _ context: RouteContext) async throws -> Principal {
        guard request.headers[.authorization] == nil, let code = request.headers[.formCode] else {
            return try await bearer(request, context)
        }
        let (principal, session) = try await admin(request)
        try OwnOrigin.check(request, base: site.links.base)
        guard site.sessions.isFormCode(code, of: session) else { throw Refusal.forgedForm }
        return principal
    }

    private func principal(
        bearing field: String,
        _ request: Request,
        _ context: RouteContext,
    ) async throws -> Principal {
        let words = field.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bearer" else { throw Refusal.notSignedIn }
        return try await principal(showing: String(words[1]), from: address(request, context))
    }

    /// Returns the holder of a token sent from an address, which has to wait after wrong tokens.
    ///
    /// A right token is accepted even then: tokens cannot be guessed, and one job that keeps using a
    /// revoked token must not lock out the rest of its network.
    package func principal(showing secret: String, from address: String) async throws -> Principal {
        let now = site.now
        let guesser = Guesser(at: "tokens", from: address)
        let store = site.store
        do {
            let principal = try await site.work {
                do {
                    return try store.tokens().principal(showing: secret, at: now)
                } catch TokenRefusal.unknown {
                    // The token may be new, created by a command or another process.
                    return try store.currentTokens().principal(showing: secret, at: now)
                }
            }
            site.guesses.succeeded(guesser)
            return principal
        } catch is TokenRefusal {
            try site.guesses.check(guesser, at: now)
            site.guesses.failed(guesser, at: now)
            throw Refusal.notSignedIn
        }
    }

    /// Returns the admin by cookie, with the session that their forms belong to.
    package func admin(_ request: Request) async throws -> (principal: Principal, session: Session)
    {
        guard let value = SiteCookie.admin.value(in: request.headers, below: site.links.base.path),
            let session = site.sessions.session(value, at: site.now),
            [.admin, .person].contains(session.kind)
        else { throw Refusal.notSignedIn }
        if session.kind == .person {
            guard let principal = try await site.people.principal(of: session) else {
                throw Refusal.notSignedIn
            }
            return (principal, session)
        }
        let store = site.store
        let now = site.now
        do {
            let principal = try await site.work {
                try store.tokens().principal(of: session, at: now)
            }
            return (principal, session)
        } catch is TokenRefusal {
            throw Refusal.notSignedIn
        }
    }

    /// Returns the admin who sent one of our forms.
    ///
    /// - Throws: ``Refusal/forgedForm`` for a form that another site made them send.
    package func adminSendingForm(
        _ request: Request
    ) async throws -> (principal: Principal, session: Session) {
        let admin = try await admin(request)
        let form = try await FormBody(request, in: site)
        guard let code = form["form"], site.sessions.isFormCode(code, of: admin.session) else {
            throw Refusal.forgedForm
        }
        return admin
    }

    /// - Throws: ``Refusal/notAllowed`` if the principal may not do it.
    package static func require(
        _ principal: Principal,
        _ action: Scope.Action,
        on app: BundleIdentifier? = nil,
    ) throws(Refusal) {
        guard principal.may(action, on: app) else { throw .notAllowed }
    }

    /// Returns the client's address: the peer's, or the one that a trusted proxy reports.
    package func address(_ request: Request, _ context: RouteContext) -> String {
        ClientAddress.of(
            peer: context.channel.remoteAddress?.ipAddress ?? "",
            forwardedFor: request.headers[.forwardedFor],
            proxies: site.proxies,
        )
    }
}

extension HTTPField.Name {
    /// The form code of an admin's session, in a request by a page's own script.
    fileprivate static let formCode = HTTPField.Name("OTA-Form") ?? .server
}
