package import Cryptography
package import Essentials

/// A certificate as the developer account has it.
package struct AccountCertificate: Sendable, Equatable {
    package let id: ResourceID
    /// Apple's words, such as `Apple Distribution: Example Ltd`.
    package let name: String
    /// Apple's word, such as `DISTRIBUTION`.
    package let type: String
    package let serialNumber: String?
    package let expires: Date?
    /// Nil where it was not asked for or cannot be read.
    package let certificate: Certificate?

    /// Whether it can sign what is given to testers: `DISTRIBUTION` for every platform, or the older
    /// one for iOS.
    package var isForDistribution: Bool {
        AccountCertificate.distributionTypes.contains(type)
    }

    /// Whether it is for this key, so that only the owner of the key can have requested it.
    package func isAbout(_ key: PrivateKey) -> Bool { certificate?.publicKey == key.publicKey }

    static let distributionTypes = ["DISTRIBUTION", "IOS_DISTRIBUTION"]
}

extension AccountCertificate: Decodable {
    private enum AttributeKey: String, CodingKey {
        case name, displayName, certificateType, serialNumber, expirationDate, certificateContent
    }

    package init(from decoder: any Decoder) throws {
        let reader = try ResourceReader<AttributeKey>(decoder, type: "certificates")
        id = reader.id
        name = reader.text(.name) ?? reader.text(.displayName) ?? ""
        type = reader.text(.certificateType) ?? ""
        serialNumber = reader.text(.serialNumber)
        expires = reader.date(.expirationDate)
        certificate = reader.text(.certificateContent)
            .flatMap { Data(base64Encoded: $0, options: .ignoreUnknownCharacters) }
            .flatMap { try? Certificate(der: [UInt8]($0)) }
    }
}
