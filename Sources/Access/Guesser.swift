import Cryptography

/// A client that guesses a secret.
///
/// A right answer for one secret does not reset the wrong answers for another, and a whole IPv6 network
/// counts as one client.
package struct Guesser: Hashable, Sendable {
    private let secret: String
    private let network: [UInt8]

    /// - Parameters:
    ///   - secret: the secret that is guessed, such as the passphrase of one app.
    ///   - address: the IP address of the client.
    package init(at secret: String, from address: String) {
        self.secret = secret
        network = AlternativeName(address).network ?? SHA256Digest(of: address.utf8).bytes
    }
}
