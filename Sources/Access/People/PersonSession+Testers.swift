import Bytes
import Cryptography
package import Essentials

/// Sessions of people who have signed in as testers.
extension PersonSession {
    /// The number of sessions that one person may have as a tester; beyond that the oldest ends.
    package static let mostOfTester = 20

    /// The number of hexadecimal digits after the random ones that identify the person.
    private static let markLength = 16

    /// Returns a new identifier: a `t`, 16 random hexadecimal digits, and 16 that are the same in all
    /// sessions of the person, so that the sessions can be counted by the names of their documents.
    ///
    /// - Parameters:
    ///   - person: the person.
    ///   - random: 8 unpredictable bytes.
    /// - Returns: the identifier.
    package static func testerIdentifier(of person: Person, random: [UInt8]) -> String {
        let identity = "ota tester\0\(person.issuer.text)\0\(person.subject)"
        return "t" + Hex.encode(random)
            + Hex.encode(SHA256Digest(of: Array(identity.utf8)).bytes.prefix(markLength / 2))
    }

    /// Whether an identifier is that of a tester's session.
    package static func isOfTester(_ identifier: String) -> Bool { identifier.hasBytes(first: "t") }

    /// Whether the identifiers of two testers' sessions belong to the same person.
    package static func isOfOneTester(_ one: String, _ other: String) -> Bool {
        isOfTester(one) && isOfTester(other)
            && one.suffix(markLength).utf8.elementsEqual(other.suffix(markLength).utf8)
    }

    /// What the person may see in the session, according to the current settings.
    ///
    /// - Returns: nil if the session has ended, is not a tester's, or is from another provider or client,
    ///   or if the person is not a tester.
    package func testerRight(under settings: SignInSettings?, at date: Date) -> TesterRight? {
        guard purpose == .tester, date < expires, !isOverdue(at: date),
            case .provider(let person, let clientID) = origin,
            let settings, settings.clientID == clientID
        else { return nil }
        return settings.testerRight(of: person)
    }

    /// Whether an open page should be reloaded: the provider should confirm the session, and no server is
    /// asking it.
    package func isWaiting(at date: Date) -> Bool {
        isDue(at: date) && asked.map { abs(date.timeIntervalSince($0)) >= Self.turn } ?? true
    }
}
