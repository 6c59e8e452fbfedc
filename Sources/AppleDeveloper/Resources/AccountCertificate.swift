package import Cryptography
package import Essentials

/// A certificate in the developer account.
package struct AccountCertificate: Sendable, Equatable {
    package let id: ResourceID
    /// Apple's name for it, such as `Apple Distribution: Example Ltd`.
    package let name: String
    /// Apple's name for the type, such as `DISTRIBUTION`.
    package let type: String
    package let serialNumber: String?
    package let expires: Date?
    /// Nil when it was not requested or cannot be read.
    package let certificate: Certificate?

    /// Whether it can sign builds for testers: `DISTRIBUTION` for all platforms, or the older type for
    /// iOS.
    package var isForDistribution: Bool {
        AccountCertificate.distributionTypes.contains(type)
    }

    /// Whether it certifies this key, so that only the key's owner can have requested it.
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
