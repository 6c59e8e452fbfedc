import Bytes
package import Cryptography
import Foundation
package import Problems

/// A passphrase as stored: salted and stretched, so that it cannot be recovered.
package struct PassphraseHash: Codable, Equatable, Sendable {
    /// The least number of characters of a new passphrase; shorter ones that were set earlier still work.
    package static let shortest = 12
    private static let longest = 1024

    /// Eight hexadecimal digits that change with the passphrase; sessions contain them, and end when they
    /// change.
    package let generation: String
    private let salt: String
    private let cost: StretchedKey.Cost
    private let digest: String

    /// - Parameters:
    ///   - text: the passphrase; surrounding white space, such as a file's trailing line feed, is ignored.
    ///   - cost: the cost of one attempt.
    ///   - random: returns the given number of cryptographically secure random bytes.
    /// - Throws: ``PassphraseRefusal`` if the passphrase is too short or too long.
    package init(
        _ text: String,
        cost: StretchedKey.Cost = .usual,
        random: (Int) -> [UInt8],
    ) throws(PassphraseRefusal) {
        let words = Self.words(text)
        guard words.count >= Self.shortest else { throw .tooShort }
        guard words.utf8.count <= Self.longest else { throw .tooLong }
        let salt = random(16)
        guard let key = StretchedKey.bytes(of: Array(words.utf8), salt: salt, cost: cost) else {
            throw .noMemory
        }
        generation = Hex.encode(random(4))
        self.salt = Hex.encode(salt)
        self.cost = cost
        digest = Hex.encode(key)
    }

    /// Whether a text is the passphrase; deliberately slow.
    ///
    /// - Throws: ``PassphraseRefusal/noMemory`` if there is not enough memory to check.
    package func matches(_ text: String) throws(PassphraseRefusal) -> Bool {
        let words = Self.words(text)
        guard words.utf8.count <= Self.longest, let salt = Hex.decode(salt),
            let expected = Hex.decode(digest)
        else { return false }
        guard let key = StretchedKey.bytes(of: Array(words.utf8), salt: salt, cost: cost) else {
            throw .noMemory
        }
        return constantTimeEqual(key, expected)
    }

    /// Normalises a text, because another keyboard may produce different Unicode scalars for the same
    /// characters.
    private static func words(_ text: String) -> String {
        text.trimmingCharacters(in: .whitespacesAndNewlines).precomposedStringWithCanonicalMapping
    }
}

/// Why a passphrase is refused or cannot be checked.
package enum PassphraseRefusal: ReportableError, Equatable {
    case tooShort
    case tooLong
    case noMemory

    package var description: String {
        switch self {
        case .tooShort: "a passphrase must have at least \(PassphraseHash.shortest) characters"
        case .tooLong: "a passphrase must have at most 1024 bytes"
        case .noMemory: "the passphrase cannot be processed: not enough memory"
        }
    }
}

extension PassphraseRefusal {
    package var id: String { "app.bad-passphrase" }

    package var kind: Problem.Kind {
        switch self {
        case .tooShort, .tooLong: .invalid
        case .noMemory: .unavailable
        }
    }

    package var fix: String {
        switch self {
        case .tooShort, .tooLong: "choose another passphrase"
        case .noMemory: "try again, and give the machine more memory if it happens again"
        }
    }
}
