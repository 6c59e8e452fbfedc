package import Essentials
package import Problems

/// A secret as ``SealingKey`` encrypted it for storage.
package struct SealedBytes: Codable, Equatable, Sendable {
    /// The ``SealingKey/identifier`` of the key that decrypts it.
    package let key: String
    package let nonce: Data
    /// The encrypted secret, followed by the tag of 16 bytes.
    package let bytes: Data

    static let nonceCount = 12
    static let tagCount = 16

    init(key: String, nonce: [UInt8], bytes: [UInt8]) {
        self.key = key
        self.nonce = Data(nonce)
        self.bytes = Data(bytes)
    }
}

/// The kind and the owner of a sealed secret; a secret sealed for one purpose cannot be opened for
/// another.
package struct SealingPurpose: Equatable, Sendable, CustomStringConvertible {
    /// The kind, such as `signing identity`.
    package let secret: String
    /// The owner, such as a team identifier.
    package let owner: String

    package init(_ secret: String, of owner: String) {
        self.secret = secret
        self.owner = owner
    }

    package var description: String { "\(secret) of \(owner)" }

    /// The associated data that the tag covers besides the secret; each part is preceded by its length.
    func associatedData(key: String) -> [UInt8] {
        ["ota seal 1", key, secret, owner].flatMap { part in
            let bytes = Array(part.utf8)
            return (0..<4).map { UInt8(truncatingIfNeeded: bytes.count >> ($0 * 8)) } + bytes
        }
    }
}

/// Why a sealed secret cannot be opened.
package enum SealRefusal: ReportableError, Equatable {
    /// With the identifiers of both keys.
    case otherKey(SealingPurpose, sealedWith: String, given: String)
    case damaged(SealingPurpose)

    package var description: String {
        switch self {
        case .otherKey(let purpose, let sealed, let given):
            "the \(purpose) is sealed with key \(sealed), but the given key file has key \(given)"
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
