/// An IPv4 or IPv6 address.
package enum InternetAddress: Hashable, Sendable {
    /// Four bytes.
    case v4([UInt8])
    /// Sixteen bytes.
    case v6([UInt8])

    /// Parses exactly four decimal numbers with dots: no octal, hexadecimal or short forms.
    package init?(v4 text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var bytes: [UInt8] = []
        for part in parts {
            guard (1...3).contains(part.utf8.count), part == "0" || !part.hasPrefix("0"),
                part.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
                let byte = UInt8(part)
            else { return nil }
            bytes.append(byte)
        }
        self = .v4(bytes)
    }

    /// Parses the forms of RFC 4291 section 2.2, without a zone.
    package init?(v6 text: some StringProtocol) {
        let halves = Self.halves(of: String(text))
        guard let front = halves.first.flatMap(Self.groups) else { return nil }
        if halves.count == 1 {
            guard front.count == 16 else { return nil }
            self = .v6(front)
            return
        }
        guard halves.count == 2, let back = Self.groups(halves[1]), front.count + back.count <= 14
        else { return nil }
        let zeros = [UInt8](repeating: 0, count: 16 - front.count - back.count)
        self = .v6(front + zeros + back)
    }

    /// The text before and after `::`; one part without it.
    private static func halves(of text: String) -> [String] {
        let bytes = Array(text.utf8)
        let colon = UInt8(ascii: ":")
        let places = bytes.indices.dropLast().filter {
            bytes[$0] == colon && bytes[$0 + 1] == colon
        }
        guard let place = places.first else { return [text] }
        guard places.count == 1 else { return ["", "", ""] }
        return [
            String(decoding: bytes[..<place], as: UTF8.self),
            String(decoding: bytes[(place + 2)...], as: UTF8.self),
        ]
    }

    private static func groups(_ text: String) -> [UInt8]? {
        guard !text.isEmpty else { return [] }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        var bytes: [UInt8] = []
        for (index, part) in parts.enumerated() {
            if index == parts.count - 1, part.contains(".") {
                guard case .v4(let last)? = InternetAddress(v4: part) else { return nil }
                bytes += last
                continue
            }
            guard (1...4).contains(part.utf8.count), part.allSatisfy(\.isHexDigit),
                part.utf8.count == part.count, let group = UInt16(part, radix: 16)
            else { return nil }
            bytes += [UInt8(group >> 8), UInt8(group & 0xFF)]
        }
        return bytes
    }
}

extension InternetAddress: CustomStringConvertible {
    /// For IPv6 all eight groups, uncompressed, so that each address has one form.
    package var description: String {
        switch self {
        case .v4(let bytes):
            return bytes.map(String.init).joined(separator: ".")
        case .v6(let bytes):
            let groups = stride(from: 0, to: 16, by: 2).map { index in
                String(UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1]), radix: 16)
            }
            return groups.joined(separator: ":")
        }
    }
}
