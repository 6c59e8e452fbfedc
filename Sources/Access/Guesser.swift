import Cryptography

/// Who guesses which secret.
///
/// A right guess at one secret does not reset the wrong guesses at another, and a whole IPv6 network
/// counts as one guesser.
package struct Guesser: Hashable, Sendable {
    private let secret: String
    private let network: [UInt8]

    /// - Parameters:
    ///   - secret: what is guessed at, such as the passphrase of one app.
    ///   - address: where the guesses come from.
    package init(at secret: String, from address: String) {
        self.secret = secret
        network = AlternativeName(address).network ?? SHA256Digest(of: address.utf8).bytes
    }
}
