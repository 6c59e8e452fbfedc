@testable import HTTPServing
import NIOCore
import NIOEmbedded
import NIOSSL
import Testing

/// The first handshake message (ClientHello), as a real TLS client sends it.
struct ClientHelloTests {
    private static func hello(_ protocols: [String], name: String?) throws -> [UInt8] {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.applicationProtocols = protocols
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandler(
            NIOSSLClientHandler(
                context: try NIOSSLContext(configuration: configuration),
                serverHostname: name,
            )
        )
        channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
        var bytes: [UInt8] = []
        while let part = try channel.readOutbound(as: ByteBuffer.self) {
            bytes += Array(buffer: part)
        }
        return bytes
    }

    @Test func `name and protocols are read`() throws {
        let bytes = try Self.hello(["acme-tls/1", "http/1.1"], name: "ota.example.test")
        guard case .complete(let hello) = ClientHello.read(bytes) else {
            Issue.record("\(ClientHello.read(bytes))")
            return
        }
        #expect(hello.serverName == "ota.example.test")
        #expect(hello.applicationProtocols == ["acme-tls/1", "http/1.1"])
        let plain = try Self.hello([], name: nil)
        guard case .complete(let other) = ClientHello.read(plain) else {
            Issue.record("\(ClientHello.read(plain))")
            return
        }
        #expect(other.serverName == nil && other.applicationProtocols.isEmpty)
    }

    @Test func `it may come in pieces and in several records`() throws {
        let bytes = try Self.hello(["acme-tls/1"], name: "ota.example.test")
        for count in bytes.indices {
            #expect(ClientHello.read(Array(bytes[..<count])) == .incomplete)
        }
        let message = Array(bytes[5...])
        var records: [UInt8] = []
        for start in stride(from: 0, to: message.count, by: 40) {
            let part = message[start..<min(start + 40, message.count)]
            records += [22, 3, 1, 0, UInt8(part.count)] + part
        }
        #expect(ClientHello.read(records) == ClientHello.read(bytes))
    }

    @Test func `damage is no handshake, and no byte of it is trusted`() throws {
        let bytes = try Self.hello(["acme-tls/1"], name: "ota.example.test")
        for index in bytes.indices {
            for value in [UInt8(0), 0x7f, 0xff] {
                var damaged = bytes
                damaged[index] = value
                // Any result is acceptable.
                if case .complete(let hello) = ClientHello.read(damaged) {
                    #expect((hello.serverName ?? "").utf8.count < bytes.count)
                }
            }
        }
        #expect(ClientHello.read(Array("GET / HTTP/1.1\r\n\r\n".utf8)) == .other)
        #expect(ClientHello.read([22, 3, 1, 0xff, 0xff]) == .other)
        #expect(ClientHello.read([22, 3, 1, 0, 4, 1, 0xff, 0xff, 0xff]) == .other)
        #expect(ClientHello.read([]) == .incomplete)
    }
}
