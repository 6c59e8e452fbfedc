/// The body of a request that creates or changes a resource.
struct ResourceBody<Attributes: Encodable>: Encodable {
    struct Content: Encodable {
        let type: String
        let id: String?
        let attributes: Attributes
        let relationships: [String: Linkages]?
    }

    let data: Content

    init(
        _ type: String,
        id: ResourceID? = nil,
        _ attributes: Attributes,
        relationships: [String: Linkages]? = nil,
    ) {
        data = Content(
            type: type,
            id: id?.rawValue,
            attributes: attributes,
            relationships: relationships,
        )
    }
}

/// The resources to which a new resource refers.
enum Linkages: Encodable {
    case one(String, ResourceID)
    case several(String, [ResourceID])

    private enum Key: String, CodingKey { case data }

    private struct Linkage: Encodable {
        let type: String
        let id: String
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        switch self {
        case .one(let type, let id):
            try container.encode(Linkage(type: type, id: id.rawValue), forKey: .data)
        case .several(let type, let ids):
            try container.encode(ids.map { Linkage(type: type, id: $0.rawValue) }, forKey: .data)
        }
    }
}
