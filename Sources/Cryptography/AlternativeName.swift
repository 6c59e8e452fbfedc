import COpenSSL

/// A host for which a certificate is valid: a subject alternative name.
package enum AlternativeName: Hashable, Sendable {
    case dns(String)
    /// The 4 bytes of an IPv4 address or the 16 bytes of an IPv6 address.
    case address([UInt8])

    /// Parses an IPv4 or IPv6 address; any other text becomes a host name.
    package init(_ text: String) {
        guard let octets = unsafe a2i_IPADDRESS(text) else {
            OpenSSL.takeFailure()
            self = .dns(text)
            return
        }
        defer { unsafe ASN1_OCTET_STRING_free(octets) }
        let bytes = unsafe UnsafeBufferPointer(
            start: ASN1_STRING_get0_data(octets),
            count: Int(ASN1_STRING_length(octets)),
        )
        self = unsafe .address(Array(bytes))
    }
}

extension AlternativeName: CustomStringConvertible {
    /// The host name, or the address in its text form (RFC 5952).
    package var description: String {
        switch self {
        case .dns(let name): name
        case .address(let bytes) where bytes.count == 4:
            bytes.map(String.init).joined(separator: ".")
        case .address(let bytes): Self.groups(of: bytes)
        }
    }

    private static func groups(of bytes: [UInt8]) -> String {
        let groups = stride(from: 0, to: bytes.count - 1, by: 2).map {
            UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
        }
        var longest = 0..<0
        var start = 0
        for index in 0...groups.count where index == groups.count || groups[index] != 0 {
            if index - start > max(longest.count, 1) { longest = start..<index }
            start = index + 1
        }
        let text = { (part: ArraySlice<UInt16>) in
            part.map { String($0, radix: 16) }.joined(separator: ":")
        }
        guard !longest.isEmpty else { return text(groups[...]) }
        return text(groups[..<longest.lowerBound]) + "::" + text(groups[longest.upperBound...])
    }
}
