/// A response with one resource.
struct ResourceDocument<Value: Decodable & Sendable>: Decodable, Sendable {
    let data: Value
}

/// A response with one page of a list.
struct ResourcePage<Value: Decodable & Sendable>: Decodable, Sendable {
    private enum Key: String, CodingKey { case data, links }
    private struct Links: Decodable { let next: String? }

    let data: [Value]
    /// The absolute URL of the next page, as received.
    let next: String?

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        data = try container.decode([Value].self, forKey: .data)
        next = try container.decodeIfPresent(Links.self, forKey: .links)?.next
    }
}
