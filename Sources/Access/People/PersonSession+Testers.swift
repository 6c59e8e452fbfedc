import Bytes
import Cryptography
package import Essentials

/// Sessions of people who signed in as testers.
extension PersonSession {
    /// Sessions that one person may have as a tester; the oldest ends for one more.
    package static let mostOfTester = 20

    /// Hexadecimal digits behind the random ones that say whose session it is.
    private static let markLength = 16

    /// A new identifier: a `t`, 16 random hexadecimal digits, and 16 that are the same in all sessions of the
    /// person, so that those are counted by their names.
    ///
    /// - Parameters:
    ///   - person: whose.
    ///   - random: 8 unpredictable bytes.
    /// - Returns: the identifier.
    package static func testerIdentifier(of person: Person, random: [UInt8]) -> String {
        let identity = "ota tester\0\(person.issuer.text)\0\(person.subject)"
        return "t" + Hex.encode(random)
            + Hex.encode(SHA256Digest(of: Array(identity.utf8)).bytes.prefix(markLength / 2))
    }

    /// Whether an identifier is of a tester's session.
    package static func isOfTester(_ identifier: String) -> Bool { identifier.hasBytes(first: "t") }

    /// Whether the identifiers of two testers' sessions are of one person.
    package static func isOfOneTester(_ one: String, _ other: String) -> Bool {
        isOfTester(one) && isOfTester(other)
            && one.suffix(markLength).utf8.elementsEqual(other.suffix(markLength).utf8)
    }

    /// What the person may see in it, with the rights that the settings give now.
    ///
    /// - Returns: nil for one that has ended, is no tester's, or is of another provider or client, and for
    ///   a person who is no tester.
    package func testerRight(under settings: SignInSettings?, at date: Date) -> TesterRight? {
        guard purpose == .tester, date < expires, !isOverdue(at: date),
            case .provider(let person, let clientID) = origin,
            let settings, settings.clientID == clientID
        else { return nil }
        return settings.testerRight(of: person)
    }

    /// Whether a page that is open should be made again: the provider is to confirm the session, and no
    /// server asks.
    package func isWaiting(at date: Date) -> Bool {
        isDue(at: date) && asked.map { abs(date.timeIntervalSince($0)) >= Self.turn } ?? true
    }
}
