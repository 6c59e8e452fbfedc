extension AlternativeName {
    /// What identifies the client behind an address: all of an IPv4 address, and of an IPv6 address
    /// the half that one network gets (/64); nil for a name.
    package var network: [UInt8]? { networks?.own }

    /// The networks that an address is in: the own one, that of the site which usually gets it (/48,
    /// or /24 of IPv4), and that of its provider (/32, or /16); nil for a name.
    package var networks: (own: [UInt8], site: [UInt8], provider: [UInt8])? {
        guard case .address(var bytes) = self else { return nil }
        let mapped: [UInt8] = Array(repeating: 0, count: 10) + [0xff, 0xff]
        if bytes.count == 16, bytes.starts(with: mapped) { bytes.removeFirst(12) }
        return bytes.count == 16
            ? (Array(bytes[..<8]), Array(bytes[..<6]), Array(bytes[..<4]))
            : (bytes, Array(bytes.prefix(3)), Array(bytes.prefix(2)))
    }
}
