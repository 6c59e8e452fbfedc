package import Essentials
package import Problems

/// A secret at rest, as ``SealingKey`` sealed it.
package struct SealedBytes: Codable, Equatable, Sendable {
    /// The ``SealingKey/identifier`` of the key that opens it.
    package let key: String
    package let nonce: Data
    /// The encrypted secret and, in its last 16 bytes, the tag.
    package let bytes: Data

    static let nonceCount = 12
    static let tagCount = 16

    init(key: String, nonce: [UInt8], bytes: [UInt8]) {
        self.key = key
        self.nonce = Data(nonce)
        self.bytes = Data(bytes)
    }
}

/// What a sealed secret is and whose; a seal that is put in another place does not open there.
package struct SealingPurpose: Equatable, Sendable, CustomStringConvertible {
    /// Such as `signing identity`.
    package let secret: String
    /// Whose it is, such as the identifier of a team.
    package let owner: String

    package init(_ secret: String, of owner: String) {
        self.secret = secret
        self.owner = owner
    }

    package var description: String { "\(secret) of \(owner)" }

    /// What the tag covers besides the secret; each part is preceded by its length.
    func associatedData(key: String) -> [UInt8] {
        ["ota seal 1", key, secret, owner].flatMap { part in
            let bytes = Array(part.utf8)
            return (0..<4).map { UInt8(truncatingIfNeeded: bytes.count >> ($0 * 8)) } + bytes
        }
    }
}

/// Why a sealed secret does not open.
package enum SealRefusal: ReportableError, Equatable {
    /// The identifiers of both keys.
    case otherKey(SealingPurpose, sealedWith: String, given: String)
    case damaged(SealingPurpose)

    package var description: String {
        switch self {
        case .otherKey(let purpose, let sealed, let given):
            "the \(purpose) is sealed with key \(sealed), and the given key file holds key \(given)"
        case .damaged(let purpose):
            "the sealed \(purpose) is damaged, or was sealed as something else"
        }
    }
}

extension SealRefusal {
    package var id: String {
        switch self {
        case .otherKey: "seal.other-key"
        case .damaged: "seal.damaged"
        }
    }

    package var kind: Problem.Kind { .unavailable }

    package var fix: String {
        switch self {
        case .otherKey(_, let sealed, _):
            "give the key file with key \(sealed), or set the secret again with `ota teams set`"
        case .damaged: "set the secret again with `ota teams set`"
        }
    }
}
