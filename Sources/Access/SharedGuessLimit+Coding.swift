import Bytes

/// Encodes networks as hexadecimal digits.
extension SharedGuessLimit.Origin: Codable {
    private enum CodingKeys: String, CodingKey { case own, site, provider }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func network(_ key: CodingKeys) throws -> [UInt8] {
            guard let bytes = Hex.decode(try container.decode(String.self, forKey: key)) else {
                throw DecodingError.dataCorruptedError(
                    forKey: key,
                    in: container,
                    debugDescription: "it is not a network",
                )
            }
            return bytes
        }
        self.init(
            own: try network(.own),
            site: try network(.site),
            provider: try network(.provider),
        )
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(Hex.encode(own), forKey: .own)
        try container.encode(Hex.encode(site), forKey: .site)
        try container.encode(Hex.encode(provider), forKey: .provider)
    }
}
