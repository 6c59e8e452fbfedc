/// An App ID in the developer account; the API calls it a bundle ID.
package struct AccountBundleID: Sendable, Equatable {
    package let id: ResourceID
    package let name: String
    /// A bundle identifier, or a wildcard such as `com.example.*`.
    package let identifier: String
    /// The prefix of application identifiers; for most teams, the team identifier.
    package let prefix: String?

    package var isWildcard: Bool { identifier.utf8.last == UInt8(ascii: "*") }
}

extension AccountBundleID: Decodable {
    private enum AttributeKey: String, CodingKey {
        case name, identifier, seedId
    }

    package init(from decoder: any Decoder) throws {
        let reader = try ResourceReader<AttributeKey>(decoder, type: "bundleIds")
        id = reader.id
        name = reader.text(.name) ?? ""
        identifier = try reader.needed(.identifier)
        prefix = reader.text(.seedId)
    }
}
