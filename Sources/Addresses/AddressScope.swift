/// The reachability of an address, by IANA's special-purpose registries (RFC 6890 and later).
package enum AddressScope: Hashable, Sendable {
    /// Public: any host on the internet.
    case everybody
    /// This machine or a local network; the reason says which.
    case near(String)
    /// Never a valid destination of a notice.
    case never(String)

    /// Whether notices may be sent to the address.
    package func isAllowed(private allowsPrivate: Bool) -> Bool {
        switch self {
        case .everybody: true
        case .near: allowsPrivate
        case .never: false
        }
    }

    /// The reason in words, to follow "which is".
    package var reason: String {
        switch self {
        case .everybody: "a public address"
        case .near(let reason), .never(let reason): reason
        }
    }
}

extension InternetAddress {
    package var scope: AddressScope {
        switch self {
        case .v4(let bytes): Self.scope(v4: bytes)
        case .v6(let bytes): Self.scope(v6: bytes)
        }
    }

    /// The scope of the most specific block that contains the address.
    private static func scope(v4 bytes: [UInt8]) -> AddressScope {
        blocks4.first { $0.contains(bytes) }?.scope ?? .everybody
    }

    private static func scope(v6 bytes: [UInt8]) -> AddressScope {
        if let block = blocks6.first(where: { $0.contains(bytes) }) { return block.scope }
        // A network without IPv4 reaches public IPv4 addresses through these (RFC 6052).
        if Block([0, 0x64, 0xFF, 0x9B], 96, .everybody).contains(bytes) {
            return scope(v4: Array(bytes[12...])) == .everybody
                ? .everybody : .never("an IPv4 address that is not public, as IPv6")
        }
        // IANA has assigned unicast addresses only from 2000::/3.
        return bytes[0] & 0xE0 == 0x20 ? .everybody : .never("an unassigned address")
    }

    private struct Block: Sendable {
        let front: [UInt8]
        let length: Int
        let scope: AddressScope

        /// - Parameters:
        ///   - front: the leading bytes; the remaining bits of the prefix are zero.
        ///   - length: the length of the prefix in bits.
        ///   - scope: the scope of all addresses in the block.
        init(_ front: [UInt8], _ length: Int, _ scope: AddressScope) {
            self.front = front
            self.length = length
            self.scope = scope
        }

        func contains(_ bytes: [UInt8]) -> Bool {
            let whole = length / 8
            for index in 0..<whole where bytes[index] != byte(index) { return false }
            let rest = length % 8
            guard rest > 0 else { return true }
            let mask = ~(UInt8.max >> UInt8(rest))
            return bytes[whole] & mask == byte(whole) & mask
        }

        private func byte(_ index: Int) -> UInt8 { index < front.count ? front[index] : 0 }
    }

    private static let metadata = AddressScope.never("a cloud metadata address")

    private static let blocks4: [Block] = [
        Block([169, 254, 169, 254], 32, metadata),
        Block([100, 100, 100, 200], 32, metadata),
        Block([168, 63, 129, 16], 32, metadata),
        Block([192, 0, 0, 192], 32, metadata),
        Block([0], 8, .never("not the address of a machine")),
        Block([10], 8, .near("a private address")),
        Block([100, 64], 10, .near("an address behind carrier-grade NAT")),
        Block([127], 8, .near("this machine")),
        Block([169, 254], 16, .never("a link-local address")),
        Block([172, 16], 12, .near("a private address")),
        Block([192, 0, 0], 24, .never("an address reserved for protocols")),
        Block([192, 0, 2], 24, .never("a documentation address")),
        Block([192, 88, 99], 24, .never("a 6to4 relay address")),
        Block([192, 168], 16, .near("a private address")),
        Block([198, 18], 15, .never("a benchmarking address")),
        Block([198, 51, 100], 24, .never("a documentation address")),
        Block([203, 0, 113], 24, .never("a documentation address")),
        Block([224], 4, .never("a multicast address")),
        Block([240], 4, .never("a reserved address")),
    ]

    private static let blocks6: [Block] = [
        Block([], 128, .never("not the address of a machine")),
        Block([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], 128, .near("this machine")),
        Block(
            [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF],
            96,
            .never("an IPv4 address written as IPv6"),
        ),
        Block([0xFD, 0x00, 0x0E, 0xC2], 32, metadata),
        Block([0xFC], 7, .near("a private address")),
        Block([0xFE, 0x80], 10, .never("a link-local address")),
        Block([0xFE, 0xC0], 10, .never("a site-local address")),
        Block([0xFF], 8, .never("a multicast address")),
        Block([0x20, 0x01, 0x0D, 0xB8], 32, .never("a documentation address")),
        Block([0x20, 0x01], 23, .never("an address reserved for protocols and tunnels")),
        Block([0x20, 0x02], 16, .never("an IPv4 address in a tunnel")),
        Block([0x3F, 0xFF], 20, .never("a documentation address")),
    ]
}
