import Bytes
import Cryptography
package import Essentials

/// A session in a signed cookie.
package struct Session: Equatable, Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        /// The holder of a token, on the admin pages.
        case admin
        /// A person whom a provider has identified, or who used a link for admins.
        case person
        /// A person whom a provider has identified, as a tester.
        case tester
        /// The contents of a link for an admin, instead of a cookie.
        case link
        /// A tester's device that has enrolled.
        case device
        /// A visitor who has entered an app's passphrase.
        case passphrase
        /// A visitor who was shown a form and has not authenticated.
        case form
        /// The result of an enrolment, in a URL that is valid for an hour.
        case enrolment

        /// The lifetime of a session in seconds.
        package var lifetime: Int {
            switch self {
            case .admin, .person, .tester: 12 * 3600
            case .device: 365 * 86_400
            case .passphrase: 30 * 86_400
            case .form: 86_400
            case .enrolment: 3600
            case .link: 600
            }
        }
    }

    package let kind: Kind
    /// The token, the device's reference or the app: letters, digits, `.`, `-` and `_`; never a UDID.
    package let subject: String
    /// Eight hexadecimal digits that change if the underlying right does, such as a passphrase.
    package let generation: String
    package let expires: Date

    /// - Returns: nil for a subject or generation with characters that are not allowed in the cookie.
    package init?(kind: Kind, subject: String, generation: String = "0", expires: Date) {
        guard Self.isPlain(subject), Self.isPlain(generation) else { return nil }
        self.kind = kind
        self.subject = subject
        self.generation = generation
        self.expires = expires
    }

    private static func isPlain(_ text: String) -> Bool {
        (1...200).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
                    UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}

/// Creates and verifies the values of session cookies, and the codes of their forms.
///
/// A value is `kind~subject~generation~expiry~code`; the code is an HMAC-SHA256 that only the holder of the
/// store's key can compute.
package struct SessionAuthority: Sendable {
    let key: [UInt8]

    /// - Parameter key: a secret of the store, 32 bytes.
    package init(key: [UInt8]) {
        self.key = key
    }

    package func value(of session: Session) -> String {
        let text = [
            session.kind.rawValue, session.subject, session.generation,
            "\(Int(session.expires.timeIntervalSince1970))",
        ].joined(separator: "~")
        return text + "~" + Hex.encode(code(over: text, for: "session"))
    }

    /// Seconds by which a clock may have been ahead when a session was created.
    private static let slack: TimeInterval = 3600

    /// Returns the session in a cookie's value.
    ///
    /// A session that ends later than a new one of its kind was created while the clock was ahead, and
    /// would outlast every other; it counts as ended.
    ///
    /// - Parameters:
    ///   - value: the value of the cookie.
    ///   - date: the current time.
    ///   - seconds: how long ago the session may have ended.
    /// - Returns: nil for a value that this server did not sign, that was altered, or that has ended.
    package func session(
        _ value: some StringProtocol,
        at date: Date,
        endedWithin seconds: Int = 0,
    ) -> Session? {
        guard value.utf8.count <= 700 else { return nil }
        let parts = String(value).split(separator: "~", omittingEmptySubsequences: false)
            .map(String.init)
        guard parts.count == 5, let shown = Hex.decode(parts[4]) else { return nil }
        let text = parts.dropLast().joined(separator: "~")
        guard constantTimeEqual(shown, code(over: text, for: "session")),
            let kind = Session.Kind(rawValue: parts[0]), let end = Int(parts[3])
        else { return nil }
        let expires = Date(timeIntervalSince1970: TimeInterval(end))
        let latest = date.addingTimeInterval(TimeInterval(kind.lifetime) + Self.slack)
        guard date < expires.addingTimeInterval(TimeInterval(seconds)), expires <= latest else {
            return nil
        }
        return Session(kind: kind, subject: parts[1], generation: parts[2], expires: expires)
    }

    /// The code that a session's form must contain, so that no other site can send it.
    package func formCode(for session: Session) -> String {
        Hex.encode(code(over: value(of: session), for: "form"))
    }

    package func isFormCode(_ shown: some StringProtocol, of session: Session) -> Bool {
        guard shown.utf8.count <= 128, let shown = Hex.decode(shown) else { return false }
        return constantTimeEqual(shown, code(over: value(of: session), for: "form"))
    }

    private func code(over text: String, for purpose: String) -> [UInt8] {
        authenticationCode(of: Array("ota \(purpose)\0\(text)".utf8), key: key)
    }
}
