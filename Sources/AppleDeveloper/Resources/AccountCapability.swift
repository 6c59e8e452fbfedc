/// A capability of an App ID, such as `PUSH_NOTIFICATIONS`.
package struct AccountCapability: Sendable, Equatable {
    package let id: ResourceID
    /// Apple's name; there are more than the documented ones.
    package let type: String
}

extension AccountCapability: Decodable {
    private enum AttributeKey: String, CodingKey { case capabilityType }

    package init(from decoder: any Decoder) throws {
        let reader = try ResourceReader<AttributeKey>(decoder, type: "bundleIdCapabilities")
        id = reader.id
        type = try reader.needed(.capabilityType)
    }
}
