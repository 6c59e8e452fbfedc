/// Something that an App ID may do, such as `PUSH_NOTIFICATIONS`.
package struct AccountCapability: Sendable, Equatable {
    package let id: ResourceID
    /// Apple's word; there are more than its documents list.
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
