package import Essentials
package import Problems

/// Why a signed message is rejected.
package enum SignatureRefusal: ReportableError, Equatable {
    case noSigner
    case severalSigners(Int)
    /// No embedded certificate matches the signer that the message names.
    case signerCertificateMissing
    /// The signature is detached and the content was not given, or it was given twice.
    case contentMissing
    case contentMismatch
    case unsupportedAlgorithm(OID)
    /// A signed attribute that RFC 5652 section 5.3 requires is missing.
    case attributeMissing(OID)
    case contentTypeMismatch
    case digestMismatch
    /// The message has no signed attributes, and its content could be the attributes of another message.
    case ambiguousContent
    case signatureInvalid
    /// The chain does not lead to a trusted authority.
    case untrustedRoot(String)
    case chainTooShort(Int, expected: Int)
    case chainTooLong(Int, expected: Int)
    case unexpectedSigner(String)
    case unexpectedIssuer(String)
    /// A certificate in the chain has signed another without being an authority.
    case notAnAuthority(String)
    case unknownCriticalExtension(OID, of: String)
    case missingExtension([OID], of: String)
    case missingPurpose(OID, of: String)
    case notYetValid(String, from: Date)
    case expired(String, on: Date)

    package var description: String {
        switch self {
        case .noSigner: "the message has no signer"
        case .severalSigners(let count): "the message has \(count) signers instead of one"
        case .signerCertificateMissing: "the signer's certificate is not in the message"
        case .contentMissing: "the signature is detached, and the content that it signs is missing"
        case .contentMismatch: "the signed content is not the content that was given"
        case .unsupportedAlgorithm(let oid): "the algorithm \(oid) is not supported"
        case .attributeMissing(let oid): "the signed attribute \(oid) is missing or repeated"
        case .contentTypeMismatch: "the signed content type is not the type of the content"
        case .digestMismatch: "the content was changed after it was signed"
        case .ambiguousContent:
            "the content has no signed attributes and could itself be taken for some"
        case .signatureInvalid: "the signature does not match"
        case .untrustedRoot(let name): "it is signed under \(name), which is not a trusted root"
        case .chainTooShort(let count, let expected), .chainTooLong(let count, let expected):
            "the chain has \(count) certificates instead of \(expected)"
        case .unexpectedSigner(let name): "it is signed by \(name), which may not sign this"
        case .unexpectedIssuer(let name):
            "the signer's certificate was issued by \(name), which may not issue it"
        case .notAnAuthority(let name): "\(name) issued a certificate without being an authority"
        case .unknownCriticalExtension(let oid, let name):
            "the certificate \(name) has the unknown critical extension \(oid)"
        case .missingExtension(let oids, let name):
            "the certificate \(name) lacks the extension "
                + oids.map(\.description).joined(separator: " or ")
        case .missingPurpose(let oid, let name): "the certificate \(name) lacks the purpose \(oid)"
        case .notYetValid(let name, let date):
            "the certificate \(name) is not valid before \(date.ISO8601Format())"
        case .expired(let name, let date):
            "the certificate \(name) expired on \(date.ISO8601Format())"
        }
    }
}

extension SignatureRefusal {
    package var id: String { "message.not-trusted" }
    package var kind: Problem.Kind { .refused }
}
