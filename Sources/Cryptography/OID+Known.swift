/// The object identifiers of certificates and signed messages.
extension OID {
    // Content types and attributes, RFC 5652.
    package static let data: OID = "1.2.840.113549.1.7.1"
    package static let signedData: OID = "1.2.840.113549.1.7.2"
    package static let contentType: OID = "1.2.840.113549.1.9.3"
    package static let messageDigest: OID = "1.2.840.113549.1.9.4"
    package static let signingTime: OID = "1.2.840.113549.1.9.5"

    /// An attribute of certificate requests, RFC 2985.
    static let extensionRequest: OID = "1.2.840.113549.1.9.14"

    // Digests, RFC 5754.
    static let sha1: OID = "1.3.14.3.2.26"
    static let sha256: OID = "2.16.840.1.101.3.4.2.1"
    static let sha384: OID = "2.16.840.1.101.3.4.2.2"

    // Signatures, RFC 4055 and RFC 5758.
    static let rsaEncryption: OID = "1.2.840.113549.1.1.1"
    package static let md5WithRSA: OID = "1.2.840.113549.1.1.4"
    package static let sha1WithRSA: OID = "1.2.840.113549.1.1.5"
    static let sha256WithRSA: OID = "1.2.840.113549.1.1.11"
    static let sha384WithRSA: OID = "1.2.840.113549.1.1.12"
    static let ellipticCurveKey: OID = "1.2.840.10045.2.1"
    package static let ecdsaWithSHA1: OID = "1.2.840.10045.4.1"
    static let ecdsaWithSHA256: OID = "1.2.840.10045.4.3.2"
    static let ecdsaWithSHA384: OID = "1.2.840.10045.4.3.3"

    // Names, X.520.
    static let commonName: OID = "2.5.4.3"
    static let country: OID = "2.5.4.6"
    static let organization: OID = "2.5.4.10"
    static let organizationalUnit: OID = "2.5.4.11"
    static let userIdentifier: OID = "0.9.2342.19200300.100.1.1"

    // Certificate extensions, RFC 5280 section 4.2.
    package static let subjectKeyIdentifier: OID = "2.5.29.14"
    package static let keyUsage: OID = "2.5.29.15"
    package static let subjectAlternativeName: OID = "2.5.29.17"
    package static let basicConstraints: OID = "2.5.29.19"
    package static let certificatePolicies: OID = "2.5.29.32"
    package static let authorityKeyIdentifier: OID = "2.5.29.35"
    package static let extendedKeyUsage: OID = "2.5.29.37"

    /// The extension of the certificate that answers an ACME challenge over TLS, RFC 8737.
    package static let acmeIdentifier: OID = "1.3.6.1.5.5.7.1.31"

    // Purposes, RFC 5280 section 4.2.1.12.
    package static let serverAuthentication: OID = "1.3.6.1.5.5.7.3.1"
    package static let codeSigning: OID = "1.3.6.1.5.5.7.3.3"
}
