import Access
import Bytes
import Cryptography
import OpenID

/// The record of a provider's back-channel logout: it makes a logout token count only once, and also ends
/// a session whose code was being exchanged when the token arrived.
struct LogoutMark: Equatable {
    /// The prefix of every such mark.
    static let start = "logout "
    /// Replaces a claim that the logout token does not have.
    private static let none = "-"

    private let subject: String
    private let providerSession: String
    private let announcement: String

    init(of notice: LogoutNotice, from issuer: IssuerURL) {
        subject = notice.subject.map { Self.code($0, "sub", issuer) } ?? Self.none
        providerSession = notice.providerSession.map { Self.code($0, "sid", issuer) } ?? Self.none
        announcement = Self.code(notice.identifier, "jti", issuer)
    }

    /// Parses a mark; nil for a mark of another kind.
    init?(_ text: String) {
        let parts = text.split(separator: " ")
        guard parts.count == 4, text.utf8.starts(with: Self.start.utf8) else { return nil }
        subject = String(parts[1])
        providerSession = String(parts[2])
        announcement = String(parts[3])
    }

    var text: String { Self.start + "\(subject) \(providerSession) \(announcement)" }

    /// Returns whether the logout applies to a session: it names the provider's session, or only the
    /// person.
    func means(_ session: PersonSession) -> Bool {
        guard let person = session.person else { return false }
        if subject != Self.none, subject != Self.code(person.subject, "sub", person.issuer) {
            return false
        }
        guard providerSession != Self.none else { return true }
        // If the provider never sent its session's identifier, a logout of the person ends all of them.
        guard let named = session.providerSession else { return subject != Self.none }
        return providerSession == Self.code(named, "sid", person.issuer)
    }

    /// Returns a digest, so that the mark reveals no one's identity.
    private static func code(_ value: String, _ kind: String, _ issuer: IssuerURL) -> String {
        SHA256Digest(of: Array("ota logout\0\(issuer.text)\0\(kind)\0\(value)".utf8)).description
    }
}
