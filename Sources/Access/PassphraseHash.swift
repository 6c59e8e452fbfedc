import Bytes
package import Cryptography
import Foundation
package import Problems

/// A passphrase as the store keeps it: salted, stretched, and no way back to the words.
package struct PassphraseHash: Codable, Equatable, Sendable {
    /// Characters that a new passphrase needs; one that was set before still works.
    package static let shortest = 12
    private static let longest = 1024

    /// Eight hexadecimal digits that change with the passphrase; sessions carry them, and end with
    /// them.
    package let generation: String
    private let salt: String
    private let cost: StretchedKey.Cost
    private let digest: String

    /// - Parameters:
    ///   - text: the words; space around them, such as a file's last line feed, does not count.
    ///   - cost: what one try costs.
    ///   - random: gives as many unforeseeable bytes as it is asked for.
    /// - Throws: ``PassphraseRefusal`` for one that is too short or too long.
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

    /// Whether the words are the ones; takes a while.
    ///
    /// - Throws: ``PassphraseRefusal/noMemory`` when it cannot be found out.
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

    /// The same words typed on another keyboard may be other scalars.
    private static func words(_ text: String) -> String {
        text.trimmingCharacters(in: .whitespacesAndNewlines).precomposedStringWithCanonicalMapping
    }
}

/// Why a passphrase is not taken.
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
