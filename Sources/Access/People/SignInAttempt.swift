import Bytes
import Cryptography
package import Essentials

/// A sign-in in progress: it is kept encrypted in a cookie of the browser that began it, until the
/// provider's response arrives.
package struct SignInAttempt: Codable, Equatable, Sendable {
    /// Seconds that the person has to sign in at the provider.
    package static let lifetime = 600

    /// Ties the response to this browser: 64 hexadecimal digits.
    package let state: String
    /// Ties the ID token to this attempt: 64 hexadecimal digits.
    package let nonce: String
    /// The code verifier (RFC 7636): 64 hexadecimal digits.
    package let verifier: String
    /// The provider that was asked, so that no other one can answer.
    package let issuer: IssuerURL
    package let clientID: String
    /// The path on this server to open afterwards.
    package let path: String
    /// What the person signs in for.
    package let purpose: PersonSession.Purpose
    /// Whether the provider was asked not to show any page.
    package let isSilent: Bool
    package let expires: Date

    /// Begins an attempt; `random` returns the given number of cryptographically secure random bytes.
    package init(
        with settings: SignInSettings,
        leadingTo path: String,
        for purpose: PersonSession.Purpose = .admin,
        isSilent: Bool,
        at date: Date,
        random: (Int) -> [UInt8],
    ) {
        state = Hex.encode(random(32))
        nonce = Hex.encode(random(32))
        verifier = Hex.encode(random(32))
        issuer = settings.issuer
        clientID = settings.clientID
        self.path = path
        self.purpose = purpose
        self.isSilent = isSilent
        expires = date.addingTimeInterval(TimeInterval(Self.lifetime))
    }

    /// The code challenge for the verifier (RFC 7636, section 4.2).
    package var challenge: String {
        Base64URL.text(SHA256Digest(of: Array(verifier.utf8)).bytes)
    }

    /// The mark that makes a response valid only once; it reveals nothing about the state.
    package var mark: String { SHA256Digest(of: Array("ota state\0\(state)".utf8)).description }
}

/// Marks of what is valid only once, kept until it expires: providers' responses, links, logout tokens.
package struct UsedMarks: Codable, Equatable, Sendable {
    /// The number of marks that are kept.
    private static let limit = 4096
    /// The prefix of a mark that is never evicted: only an admin can have caused it.
    package static let lasting = "link "

    package var schema = 1
    private var used: [String: Date] = [:]

    package init() {}

    /// Uses a mark.
    ///
    /// - Parameters:
    ///   - mark: a digest.
    ///   - end: when what it marks expires.
    ///   - date: the current time.
    /// - Returns: whether it had not been used before.
    package mutating func use(_ mark: String, until end: Date, at date: Date) -> Bool {
        used = used.filter { $0.value > date }
        guard used[mark] == nil else { return false }
        let others = used.filter { !$0.key.utf8.starts(with: Self.lasting.utf8) }
        if others.count >= Self.limit, let first = others.min(by: { $0.value < $1.value })?.key {
            used[first] = nil
        }
        used[mark] = Date(timeIntervalSince1970: end.timeIntervalSince1970.rounded(.up))
        return true
    }

    /// Returns the used marks with a prefix, except expired ones.
    ///
    /// - Parameters:
    ///   - start: the prefix.
    ///   - date: the current time.
    /// - Returns: the marks.
    package func marks(beginningWith start: String, at date: Date) -> Set<String> {
        Set(used.filter { $0.value > date && $0.key.utf8.starts(with: start.utf8) }.keys)
    }
}

extension SessionAuthority {
    /// The value of the cookie with an attempt.
    package func seal(_ attempt: SignInAttempt) -> String? {
        guard let json = try? JSONEncoder().encode(attempt),
            let sealed = try? JSONEncoder().encode(attemptKey.seal(Array(json), as: .attempt))
        else { return nil }
        return Base64URL.text(Array(sealed))
    }

    /// - Returns: nil for a value that was not sealed with this key, or has expired.
    package func attempt(_ value: String, at date: Date) -> SignInAttempt? {
        guard value.utf8.count <= 4096, let json = Base64URL.bytes(value),
            let sealed = try? JSONDecoder().decode(SealedBytes.self, from: Data(json)),
            let opened = try? attemptKey.open(sealed, as: .attempt),
            let attempt = try? JSONDecoder().decode(SignInAttempt.self, from: Data(opened))
        else { return nil }
        let left = attempt.expires.timeIntervalSince(date)
        return left > 0 && left <= TimeInterval(SignInAttempt.lifetime) ? attempt : nil
    }

    private var attemptKey: SealingKey {
        let bytes = authenticationCode(of: Array("ota sign-in attempts".utf8), key: key)
        guard let key = SealingKey(bytes: bytes) else {
            preconditionFailure("a code of HMAC-SHA256 has 32 bytes")
        }
        return key
    }
}

extension SealingPurpose {
    fileprivate static let attempt = SealingPurpose("sign-in attempt", of: "browser")
}
