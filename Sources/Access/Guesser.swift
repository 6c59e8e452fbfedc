import Cryptography

/// Who guesses at what: a right answer to one thing forgives no wrong ones to another, and a network
/// that has more addresses than anybody can count is one.
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
