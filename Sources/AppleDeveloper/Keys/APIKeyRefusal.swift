import Bytes
package import Cryptography
package import Problems

/// Why a file or an identifier is not an App Store Connect API key.
package enum APIKeyRefusal: ReportableError, Equatable {
    /// The issuer is not a UUID.
    case badIssuer(String)
    case badIdentifier(String)
    case unreadable(MalformedKey)
    /// Apple's keys are on the curve P-256.
    case wrongKind(KeyKind)
    /// Apple's file contains only a key; a file with a certificate has another origin.
    case withCertificate

    package var description: String {
        switch self {
        case .badIssuer(""): "the issuer ID is missing"
        case .badIssuer(let issuer): "the issuer ID \(quoted: issuer) is not a UUID"
        case .badIdentifier(""): "the key ID is missing"
        case .badIdentifier(let identifier):
            "the key ID \(quoted: identifier) must be 8 to 16 capital letters and digits"
        case .unreadable(let malformed): "the API key cannot be read: \(malformed)"
        case .wrongKind(let kind):
            "the API key is \(kind); keys of App Store Connect are EC P-256"
        case .withCertificate:
            "the file has a certificate in addition to its key, so it is an identity to sign with"
        }
    }
}

extension APIKeyRefusal {
    package var id: String {
        switch self {
        case .badIssuer: "apple-key.issuer"
        case .badIdentifier: "apple-key.identifier"
        case .unreadable, .wrongKind, .withCertificate: "apple-key.malformed"
        }
    }

    package var kind: Problem.Kind { .invalid }

    package var fix: String {
        switch self {
        case .badIssuer(""):
            "enter the issuer ID, which App Store Connect shows above the list of team keys"
        case .badIdentifier(""):
            "enter the key ID, as in AuthKey_KEYID.p8"
        case .badIssuer:
            "copy the Issuer ID from App Store Connect, Users and Access, Integrations, Team Keys; "
                + "individual keys have none, and cannot manage devices or profiles"
        case .badIdentifier: "copy the Key ID from App Store Connect, as in AuthKey_KEYID.p8"
        case .withCertificate:
            "give the .p8 file as downloaded from App Store Connect, and an identity with --identity"
        case .unreadable, .wrongKind:
            "give the .p8 file as downloaded from App Store Connect"
        }
    }
}
