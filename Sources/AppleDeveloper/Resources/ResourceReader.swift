import Essentials

/// Decodes a JSON:API resource: `type`, `id`, `attributes`, `relationships`.
struct ResourceReader<AttributeKey: CodingKey> {
    private enum Key: String, CodingKey {
        case type, id, attributes, relationships
    }

    let id: ResourceID
    /// Nil when Apple sends none.
    private let attributes: KeyedDecodingContainer<AttributeKey>?
    private let relationships: [String: Relationship]

    /// - Throws: `DecodingError` for a resource of another type.
    init(_ decoder: any Decoder, type: String) throws {
        let container = try decoder.container(keyedBy: Key.self)
        guard try container.decode(String.self, forKey: .type) == type else {
            throw DecodingError.dataCorruptedError(
                forKey: .type,
                in: container,
                debugDescription: "not of the type \(type)",
            )
        }
        id = try container.decode(ResourceID.self, forKey: .id)
        attributes =
            container.contains(.attributes)
            ? try container.nestedContainer(keyedBy: AttributeKey.self, forKey: .attributes) : nil
        relationships =
            try container.decodeIfPresent(
                [String: Relationship].self,
                forKey: .relationships,
            ) ?? [:]
    }

    /// An attribute; nil when it is missing, null or of another type than documented.
    func text(_ key: AttributeKey) -> String? {
        (try? attributes?.decodeIfPresent(String.self, forKey: key)) ?? nil
    }

    /// A required attribute.
    func needed(_ key: AttributeKey) throws -> String {
        guard let text = text(key) else {
            throw DecodingError.keyNotFound(
                key,
                .init(codingPath: [key], debugDescription: "missing"),
            )
        }
        return text
    }

    func date(_ key: AttributeKey) -> Date? { text(key).flatMap(AppleDate.date) }

    /// The resources in a relationship; nil when Apple sends none.
    func related(_ name: String) -> [ResourceID]? { relationships[name]?.ids }
}

/// A relationship to one resource, to several, or with only links.
private struct Relationship: Decodable {
    private enum Key: String, CodingKey { case data }
    private struct Linkage: Decodable { let id: ResourceID }

    let ids: [ResourceID]?

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        if let all = try? container.decode([Linkage].self, forKey: .data) {
            ids = all.map(\.id)
        } else if let one = try? container.decodeIfPresent(Linkage.self, forKey: .data) {
            ids = [one.id]
        } else {
            ids = nil
        }
    }
}
