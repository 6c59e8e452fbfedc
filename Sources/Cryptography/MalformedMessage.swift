package import Bytes
package import Problems

/// Why bytes are not a CMS signed message, regardless of trust.
package enum MalformedMessage: ReportableError, Equatable {
    case tooLarge(limit: Int)
    case tooManyElements(limit: Int)
    case tooManyCertificates(limit: Int)
    /// Anything other than SignedData, such as an unsigned property list.
    case notSignedData
    case field(MalformedBytes)
    case certificate(MalformedCertificate)
    /// Two attributes of the same type are ambiguous.
    case repeatedAttribute(OID)

    package var description: String {
        switch self {
        case .tooLarge(let limit): "the signed message is larger than \(limit.grouped) bytes"
        case .tooManyElements(let limit): "the signed message has more than \(limit) elements"
        case .tooManyCertificates(let limit):
            "the signed message embeds more than \(limit) certificates"
        case .notSignedData: "this is not a signed message"
        case .field(let malformed): "the signed message is malformed: \(malformed)"
        case .certificate(let malformed):
            "a certificate in the signed message cannot be used: \(malformed)"
        case .repeatedAttribute(let oid): "the signed attribute \(oid) appears twice"
        }
    }
}

extension MalformedMessage {
    package var id: String { "message.malformed" }
    package var kind: Problem.Kind { .invalid }
}
