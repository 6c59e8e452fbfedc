extension AlternativeName {
    /// What stands for whoever is behind an address: all of IPv4, and of IPv6 the half that a network
    /// is given whole; nil for a name.
    package var network: [UInt8]? {
        guard case .address(let bytes) = self else { return nil }
        let mapped: [UInt8] = Array(repeating: 0, count: 10) + [0xff, 0xff]
        if bytes.count == 16, bytes.starts(with: mapped) { return Array(bytes[12...]) }
        return bytes.count == 16 ? Array(bytes[..<8]) : bytes
    }
}
