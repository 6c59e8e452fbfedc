import Bytes
import Cryptography
package import Essentials
package import Problems

/// The tokens for access from other machines: `tokens.json`, readable by the owner only.
package struct TokenRegister: Codable, Equatable, Sendable {
    package static let nameLimit = 60
    package static let countLimit = 1000
    /// The number of ended sessions that are kept for each token.
    private static let endedLimit = 1000

    package var schema = 1
    package private(set) var tokens: [AccessToken]
    /// Sessions that were ended early: a copy of such a cookie grants no access.
    private var endedSessions: [EndedSession]?

    package init() {
        tokens = []
    }

    /// Creates a token, and its secret, which cannot be retrieved later.
    ///
    /// - Throws: ``TokenRefusal`` if the name is taken or not printable, there is no scope, or the expiry
    ///   is in the past.
    package mutating func create(
        name: String,
        scopes: [Scope],
        expires: Date?,
        at date: Date,
        random: (Int) -> [UInt8],
    ) throws(TokenRefusal) -> (token: AccessToken, secret: TokenSecret) {
        let plain = PrintableText(escaping: name, limit: Self.nameLimit).text
        guard plain == name, PrintableText.isName(name, limit: Self.nameLimit) else {
            throw .badName(plain)
        }
        guard !tokens.contains(where: { $0.name == name && $0.refusal(at: date) == nil }) else {
            throw .nameTaken(name)
        }
        guard !scopes.isEmpty else { throw .noScope }
        if let expires, expires <= date { throw .endsInThePast(expires) }
        var secret = TokenSecret(random: random)
        while tokens.contains(where: { $0.identifier == secret.identifier }) {
            secret = TokenSecret(random: random)
        }
        if tokens.count >= Self.countLimit { tokens.removeAll { $0.refusal(at: date) != nil } }
        guard tokens.count < Self.countLimit else { throw .tooMany(Self.countLimit) }
        let token = AccessToken(
            identifier: secret.identifier,
            name: name,
            scopes: scopes,
            created: date,
            expires: expires,
            revoked: nil,
            digest: secret.digest,
        )
        tokens.append(token)
        return (token, secret)
    }

    /// Revokes a token, by its name or identifier.
    ///
    /// A revoked or expired token's name may have been reused; the token that is in use is revoked.
    ///
    /// - Throws: ``TokenRefusal/unknown`` if no token that is in use has the name or identifier.
    @discardableResult
    package mutating func revoke(
        _ name: String,
        at date: Date,
    ) throws(TokenRefusal) -> AccessToken {
        let named = tokens.indices.filter {
            (tokens[$0].name == name || tokens[$0].identifier == name) && tokens[$0].revoked == nil
        }
        let inUse = named.first { tokens[$0].refusal(at: date) == nil }
        guard let index = inUse ?? named.first else { throw .unknown }
        tokens[index].revoked = date
        return tokens[index]
    }

    /// The token with an identifier, whatever its state.
    package subscript(identifier: String) -> AccessToken? {
        tokens.first { $0.identifier == identifier }
    }

    /// Returns the holder of a secret.
    ///
    /// The time that this takes reveals nothing about the secret.
    ///
    /// - Throws: ``TokenRefusal``; ``TokenRefusal/unknown`` for anything but a secret that was issued here.
    package func principal(
        showing secret: some StringProtocol,
        at date: Date,
    ) throws(TokenRefusal) -> Principal {
        guard let secret = TokenSecret(secret) else { throw .unknown }
        let token = self[secret.identifier]
        let expected = token?.digest.bytes ?? [UInt8](repeating: 0, count: 32)
        let isRight = constantTimeEqual(secret.digest.bytes, expected)
        guard let token, isRight else { throw .unknown }
        return try principal(of: token, at: date)
    }

    /// Ends a session of a token early.
    package mutating func end(_ session: Session, at date: Date) {
        let known = (endedSessions ?? []).filter { $0.expires > date }
        // The limit is per token, so that ending many sessions of one token does not make those of another
        // valid again.
        let own = known.filter { $0.token == session.subject } + [EndedSession(session)]
        endedSessions =
            known.filter { $0.token != session.subject } + own.suffix(Self.endedLimit)
    }

    /// Returns the holder of a token's session.
    ///
    /// - Throws: ``TokenRefusal``; ``TokenRefusal/unknown`` for a session that was ended.
    package func principal(
        of session: Session,
        at date: Date,
    ) throws(TokenRefusal) -> Principal {
        guard session.kind == .admin, session.expires > date,
            endedSessions?.contains(EndedSession(session)) != true
        else { throw .unknown }
        return try principal(ofToken: session.subject, at: date)
    }

    /// Returns the holder of the token with an identifier.
    package func principal(
        ofToken identifier: String,
        at date: Date,
    ) throws(TokenRefusal) -> Principal {
        guard let token = self[identifier] else { throw .unknown }
        return try principal(of: token, at: date)
    }

    private func principal(
        of token: AccessToken,
        at date: Date,
    ) throws(TokenRefusal) -> Principal {
        if let refusal = token.refusal(at: date) { throw refusal }
        return Principal(name: token.name, token: token.identifier, scopes: token.scopes)
    }
}

/// Identifies an admin's session.
private struct EndedSession: Codable, Equatable, Sendable {
    let token: String
    let generation: String
    let expires: Date

    init(_ session: Session) {
        token = session.subject
        generation = session.generation
        expires = session.expires
    }
}

/// Why a token is not created, or not accepted.
package enum TokenRefusal: ReportableError, Equatable {
    case badName(String)
    case nameTaken(String)
    case noScope
    case endsInThePast(Date)
    case tooMany(Int)
    case unknown
    case expired(name: String, on: Date)
    case revoked(name: String)

    package var description: String {
        switch self {
        case .badName(let name):
            "the name \(quoted: name) must be 1 to \(TokenRegister.nameLimit) printable characters "
                + "without outer spaces"
        case .nameTaken(let name): "there is already a token named \(quoted: name)"
        case .noScope: "a token needs a scope: read, publish, admin, or publish:com.example.app"
        case .endsInThePast(let date):
            "the token would already have expired, on \(date.formatted(.iso8601))"
        case .tooMany(let limit): "there are already \(limit) tokens; revoke some first"
        case .unknown: "there is no such token"
        case .expired(let name, let date):
            "the token \(quoted: name) expired on \(date.formatted(.iso8601))"
        case .revoked(let name): "the token \(quoted: name) was revoked"
        }
    }
}

extension TokenRefusal {
    package var id: String {
        switch self {
        case .badName: "token.bad-name"
        case .nameTaken: "token.name-taken"
        case .noScope: "token.bad-scope"
        case .endsInThePast: "token.ends-in-the-past"
        case .tooMany: "token.too-many"
        case .unknown: "token.unknown"
        case .expired: "token.expired"
        case .revoked: "token.revoked"
        }
    }

    package var kind: Problem.Kind {
        switch self {
        case .unknown: .notFound
        case .badName, .noScope, .endsInThePast: .invalid
        case .nameTaken, .tooMany: .conflict
        case .expired, .revoked: .unauthorised
        }
    }

    package var fix: String {
        switch self {
        case .badName: "choose another name, such as ci or ana"
        case .nameTaken: "choose another name, or revoke that token first"
        case .noScope: "give a scope"
        case .endsInThePast: "choose a later expiry"
        case .tooMany: "see `ota tokens list`"
        case .unknown: "see `ota tokens list --all`"
        case .expired, .revoked: "create a new one: ota tokens create"
        }
    }
}
