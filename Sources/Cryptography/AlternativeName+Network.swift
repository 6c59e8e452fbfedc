extension AlternativeName {
    /// The network prefix that identifies a client: the whole IPv4 address, or the first 64 bits of an
    /// IPv6 address; nil for a host name.
    package var network: [UInt8]? { networks?.own }

    /// The prefixes of the client's own network (/64, or the IPv4 address), of its site (/48, or /24 for
    /// IPv4) and of its provider (/32, or /16); nil for a host name.
    ///
    /// An IPv4-mapped IPv6 address counts as IPv4.
    package var networks: (own: [UInt8], site: [UInt8], provider: [UInt8])? {
        guard case .address(var bytes) = self else { return nil }
        let mapped: [UInt8] = Array(repeating: 0, count: 10) + [0xff, 0xff]
        if bytes.count == 16, bytes.starts(with: mapped) { bytes.removeFirst(12) }
        return bytes.count == 16
            ? (Array(bytes[..<8]), Array(bytes[..<6]), Array(bytes[..<4]))
            : (bytes, Array(bytes.prefix(3)), Array(bytes.prefix(2)))
    }
}
