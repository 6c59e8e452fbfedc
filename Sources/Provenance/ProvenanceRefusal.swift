import Bytes
package import Cryptography
package import Problems

/// Why a statement does not prove the origin of a release.
package enum ProvenanceRefusal: ReportableError, Equatable, Sendable {
    /// There is none: the release was published before `ota` created statements.
    case none
    case unreadable(String)
    case badSignature
    case otherKey(PublicKey.Fingerprint?, expected: PublicKey.Fingerprint)
    /// The IPA is not the published one.
    case otherBytes(stated: String, found: SHA256Digest)
    /// The store's record differs from the signed statement.
    case otherRecord(String, stated: String, found: String)
}

extension ProvenanceRefusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .none: "the release has no statement of where it came from"
        case .unreadable(let reason): "the statement cannot be read: \(reason)"
        case .badSignature: "the signature does not match the statement: one of them was changed"
        case .otherKey(let key, let expected):
            "the statement is signed by the key \(key?.short ?? "of no one"), not by "
                + expected.short
        case .otherBytes(let stated, let found):
            "the IPA is \(found.description.prefix(16))…, but the published one is "
                + "\(PrintableText(escaping: stated.prefix(16)))…"
        case .otherRecord(let field, let stated, let found):
            "the store says \(field) \(quoted: found), but the signed statement says "
                + "\(quoted: stated)"
        }
    }

    package var kind: Problem.Kind {
        switch self {
        case .none: .notFound
        case .unreadable, .badSignature, .otherKey, .otherBytes, .otherRecord: .conflict
        }
    }

    /// Stable across releases of `ota`.
    package var id: String {
        switch self {
        case .none: "provenance.none"
        case .unreadable: "provenance.unreadable"
        case .badSignature: "provenance.bad-signature"
        case .otherKey: "provenance.other-key"
        case .otherBytes: "provenance.other-bytes"
        case .otherRecord: "provenance.other-record"
        }
    }

    package var fix: String {
        switch self {
        case .none: "publish the build again under a new build number"
        case .unreadable, .badSignature, .otherBytes, .otherRecord:
            "withdraw the release, run `ota store verify`, find out who can write to the store, "
                + "and restore a backup"
        case .otherKey: "give the public key of the server that published it with --key"
        }
    }
}
