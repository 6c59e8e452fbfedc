/// A property that is encoded as `null` when it is nil, so that scripts find every key.
@propertyWrapper
package struct OrNull<Value: Encodable & Sendable>: Encodable, Sendable {
    package var wrappedValue: Value?

    package init(wrappedValue: Value?) {
        self.wrappedValue = wrappedValue
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let wrappedValue {
            try container.encode(wrappedValue)
        } else {
            try container.encodeNil()
        }
    }
}

extension OrNull: Decodable where Value: Decodable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        wrappedValue = container.decodeNil() ? nil : try container.decode(Value.self)
    }
}

extension OrNull: Equatable where Value: Equatable {}

extension KeyedDecodingContainer {
    /// Decodes a key that an older document lacks as nil.
    package func decode<Value: Decodable>(
        _ type: OrNull<Value>.Type,
        forKey key: Key,
    ) throws -> OrNull<Value> {
        try decodeIfPresent(type, forKey: key) ?? OrNull(wrappedValue: nil)
    }
}
