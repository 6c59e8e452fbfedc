import Access
import Bytes
import Cryptography
import OpenID

/// What is remembered of a provider's announcement of a logout: it counts once, and also ends a session whose
/// code was being exchanged when it came.
struct LogoutMark: Equatable {
    /// What every such mark begins with.
    static let start = "logout "
    /// Stands for what an announcement does not name.
    private static let none = "-"

    private let subject: String
    private let providerSession: String
    private let announcement: String

    init(of notice: LogoutNotice, from issuer: IssuerURL) {
        subject = notice.subject.map { Self.code($0, "sub", issuer) } ?? Self.none
        providerSession = notice.providerSession.map { Self.code($0, "sid", issuer) } ?? Self.none
        announcement = Self.code(notice.identifier, "jti", issuer)
    }

    /// Reads one back; nil for another kind of mark.
    init?(_ text: String) {
        let parts = text.split(separator: " ")
        guard parts.count == 4, text.utf8.starts(with: Self.start.utf8) else { return nil }
        subject = String(parts[1])
        providerSession = String(parts[2])
        announcement = String(parts[3])
    }

    var text: String { Self.start + "\(subject) \(providerSession) \(announcement)" }

    /// Whether the announcement is about a session: it names the provider's session, or the person alone.
    func means(_ session: PersonSession) -> Bool {
        guard let person = session.person else { return false }
        if subject != Self.none, subject != Self.code(person.subject, "sub", person.issuer) {
            return false
        }
        guard providerSession != Self.none else { return true }
        // Where the provider never named its session to us, a person's logout ends all.
        guard let named = session.providerSession else { return subject != Self.none }
        return providerSession == Self.code(named, "sid", person.issuer)
    }

    /// Tells no one who it is.
    private static func code(_ value: String, _ kind: String, _ issuer: IssuerURL) -> String {
        SHA256Digest(of: Array("ota logout\0\(issuer.text)\0\(kind)\0\(value)".utf8)).description
    }
}
