package import Bytes
package import Problems

/// Why bytes are not exactly one certificate.
package enum MalformedCertificate: ReportableError, Equatable {
    /// OpenSSL could not parse it, or bytes follow it.
    case notACertificate(reason: String?)
    case field(MalformedBytes)
    case repeatedExtension(OID)
    /// A validity date that is not a valid date.
    case invalidTime(String)
    /// PEM text that is damaged or contains no certificate.
    case noCertificateInText

    package var description: String {
        switch self {
        case .notACertificate(let reason):
            "this is not a certificate" + (reason.map { ": \($0)" } ?? "")
        case .field(let malformed): "the certificate is malformed: \(malformed)"
        case .repeatedExtension(let oid): "the certificate has the extension \(oid) twice"
        case .invalidTime(let field): "\(field) of the certificate is not a time"
        case .noCertificateInText: "there is no certificate in PEM form"
        }
    }
}

extension MalformedCertificate {
    package var id: String { "certificate.malformed" }
    package var kind: Problem.Kind { .invalid }
    package var fix: String { "give a PEM file with BEGIN CERTIFICATE lines" }
}
