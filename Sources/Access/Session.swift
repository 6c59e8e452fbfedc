import Bytes
import Cryptography
package import Essentials

/// A signed-in user, as a signed cookie carries it.
package struct Session: Equatable, Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        /// The holder of a token, in the admin's pages.
        case admin
        /// A person whom a provider has named, or who used a link for admins.
        case person
        /// A person whom a provider has named, as a tester.
        case tester
        /// What a link for an admin carries, in place of a cookie.
        case link
        /// A tester's device that has enrolled.
        case device
        /// A visitor who knew an app's passphrase.
        case passphrase
        /// A visitor who was given a form, and has proven nothing else.
        case form
        /// What became of an enrolment: carried by an address, for an hour.
        case enrolment

        /// Seconds that a session lasts.
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
    /// Changes when the right behind it does, such as a passphrase; eight hexadecimal digits.
    package let generation: String
    package let expires: Date

    /// - Returns: nil for a subject or generation that a cookie cannot carry.
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

/// Makes and verifies the values of session cookies, and of the forms that belong to them.
///
/// A value is `kind~subject~generation~expiry~code`; the code is an HMAC-SHA256 that only the holder
/// of the store's key can make.
package struct SessionAuthority: Sendable {
    let key: [UInt8]

    /// - Parameter key: a secret of the store's, 32 bytes.
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

    /// Seconds that a clock may have been ahead when a session was made.
    private static let slack: TimeInterval = 3600

    /// A session that ends later than one of its kind can was made while the clock ran ahead, and
    /// would outlast every other once the clock is right: it counts as ended.
    ///
    /// - Parameters:
    ///   - value: as a cookie carries it.
    ///   - date: now.
    ///   - seconds: how long ago it may have ended.
    /// - Returns: nil for a value that is not ours, was altered, or has ended.
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

    /// What a form of the session must carry, so that no other site can send it.
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
