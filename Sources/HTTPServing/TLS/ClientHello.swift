import Bytes

/// The parts of a TLS ClientHello that choose the certificate (RFC 8446 section 4.1.2).
struct ClientHello: Equatable, Sendable {
    /// RFC 6066 section 3.
    private(set) var serverName: String?
    /// RFC 7301 section 3.1.
    private(set) var applicationProtocols: [String] = []

    /// The result of parsing the first bytes of a connection.
    enum Reading: Equatable {
        case complete(ClientHello)
        /// More bytes are needed.
        case incomplete
        /// The bytes are not a handshake, or are longer than any client's.
        case other
    }

    /// The most bytes of the message; clients with post-quantum key shares send about 2 KB.
    static let longest = 16 << 10

    /// Parses the bytes that a client has sent so far.
    static func read(_ bytes: [UInt8]) -> Reading {
        var records = ByteReader(bytes)
        var message: [UInt8] = []
        while true {
            if let hello = whole(message) { return hello }
            guard message.count <= longest, bytes.count <= 2 * longest else { return .other }
            // TLSPlaintext: type, version, length, fragment.
            guard records.remaining >= 5 else {
                let isStart = records.remaining == 0 || bytes[records.offset] == handshake
                return isStart ? .incomplete : .other
            }
            guard let type = try? records.byte("type"), type == handshake,
                (try? records.skip(2, "version")) != nil,
                let length = try? records.bigEndian(UInt16.self, "length"),
                (1...longest).contains(Int(length))
            else { return .other }
            guard records.remaining >= Int(length),
                let fragment = try? records.bytes(Int(length), "fragment")
            else { return .incomplete }
            message += fragment
        }
    }

    private static let handshake: UInt8 = 22

    /// Returns the message once it is complete; nil until then.
    private static func whole(_ message: [UInt8]) -> Reading? {
        guard message.count >= 4 else { return nil }
        guard message[0] == 1 else { return .other }
        let length = Int(message[1]) << 16 | Int(message[2]) << 8 | Int(message[3])
        guard length <= longest else { return .other }
        guard message.count >= 4 + length else { return nil }
        guard let hello = try? ClientHello(reading: message[4..<4 + length]) else { return .other }
        return .complete(hello)
    }

    private init(reading body: ArraySlice<UInt8>) throws(MalformedBytes) {
        var fields = ByteReader(body)
        try fields.skip(2, "version")
        try fields.skip(32, "random")
        try fields.skip(Int(try fields.byte("session identifier")), "session identifier")
        try fields.skip(
            Int(try fields.bigEndian(UInt16.self, "cipher suites")),
            "cipher suites",
        )
        try fields.skip(Int(try fields.byte("compression methods")), "compression methods")
        guard !fields.isAtEnd else { return }
        var extensions = ByteReader(try Self.vector(&fields, "extensions"))
        while !extensions.isAtEnd {
            let type = try extensions.bigEndian(UInt16.self, "extension type")
            let content = try Self.vector(&extensions, "extension")
            switch type {
            case 0: try readServerName(content)
            case 16: try readProtocols(content)
            default: continue
            }
        }
    }

    private mutating func readServerName(_ content: ArraySlice<UInt8>) throws(MalformedBytes) {
        var whole = ByteReader(content)
        var names = ByteReader(try Self.vector(&whole, "server names"))
        while !names.isAtEnd {
            let type = try names.byte("name type")
            let name = try Self.vector(&names, "server name")
            if type == 0, serverName == nil { serverName = String(decoding: name, as: UTF8.self) }
        }
    }

    private mutating func readProtocols(_ content: ArraySlice<UInt8>) throws(MalformedBytes) {
        var whole = ByteReader(content)
        var list = ByteReader(try Self.vector(&whole, "protocols"))
        while !list.isAtEnd {
            let name = try list.bytes(Int(try list.byte("protocol")), "protocol")
            applicationProtocols.append(String(decoding: name, as: UTF8.self))
        }
    }

    /// Reads a vector with a 16-bit length.
    private static func vector(
        _ reader: inout ByteReader,
        _ field: String,
    ) throws(MalformedBytes) -> ArraySlice<UInt8> {
        try reader.bytes(Int(try reader.bigEndian(UInt16.self, field)), field)
    }
}
