import Bytes
import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization
import TestSupport

/// The certificates that a client of a site trusts, once it has fetched them from the site.
final class SiteTrust: Sendable {
    private let kept = Mutex<NIOSSLContext?>(nil)

    var context: NIOSSLContext? {
        get { kept.withLock { $0 } }
        set { kept.withLock { $0 = newValue } }
    }
}

/// A client with access to every byte: sends exactly the given bytes and parses responses strictly.
final class WireClient {
    private var inbound: AsyncStream<ByteBuffer>.Iterator
    private let channel: any Channel
    private(set) var buffer = ByteBuffer()

    private init(_ channel: any Channel, _ inbound: AsyncStream<ByteBuffer>) {
        self.channel = channel
        self.inbound = inbound.makeAsyncIterator()
    }

    /// Connects to the TLS port as a device that trusts only the site's authority.
    static func secure<Result>(
        _ site: TestSite,
        _ body: (WireClient) async throws -> Result,
    ) async throws -> Result {
        try await connect(site.port, tls: try await context(trusting: site), body)
    }

    static func plain<Result>(
        _ site: TestSite,
        _ body: (WireClient) async throws -> Result,
    ) async throws -> Result {
        try await connect(site.plainPort, tls: nil, body)
    }

    /// Sends a request on a connection of its own.
    static func get(
        _ site: TestSite,
        _ path: String,
        method: String = "GET",
        fields: [String: String] = [:],
        isSecure: Bool = true,
    ) async throws -> WireResponse {
        let body = { (client: WireClient) in
            try await client.request(method, path, fields)
        }
        return isSecure ? try await secure(site, body) : try await plain(site, body)
    }

    /// Returns a TLS context, which is made once per site: like a phone, it fetches the authority on the
    /// plain port.
    static func context(trusting site: TestSite) async throws -> NIOSSLContext {
        if let known = site.trust.context { return known }
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.applicationProtocols = ["http/1.1"]
        // In a debug build other curves take many times as long; P-256 is implemented in assembly.
        configuration.curves = [.secp256r1]
        let der = try await authority(of: site)
        guard !der.isEmpty else { return try NIOSSLContext(configuration: configuration) }
        configuration.trustRoots = .certificates([
            try NIOSSLCertificate(bytes: Array(der), format: .der)
        ])
        let context = try NIOSSLContext(configuration: configuration)
        site.trust.context = context
        return context
    }

    /// The site's authority as a PEM file for other programs.
    static func authorityPEM(of site: TestSite) async throws -> String {
        let base64 = try await authority(of: site).base64EncodedString(
            options: .lineLength64Characters
        )
        return "-----BEGIN CERTIFICATE-----\n\(base64)\n-----END CERTIFICATE-----\n"
    }

    /// The authority that the site offers phones; empty if it has none of its own.
    private static func authority(of site: TestSite) async throws -> Data {
        let profile = try await get(site, "/trust/authority.mobileconfig", isSecure: false)
        let text = String(decoding: profile.body, as: UTF8.self)
        let base64 =
            text.components(separatedBy: "<data>").dropFirst().first?
            .components(separatedBy: "</data>").first ?? ""
        return Data(base64Encoded: base64, options: .ignoreUnknownCharacters) ?? Data()
    }

    static func connect<Result>(
        _ port: Int,
        tls: NIOSSLContext?,
        name: String? = nil,
        _ body: (WireClient) async throws -> Result,
    ) async throws -> Result {
        let (inbound, arrived) = AsyncStream.makeStream(of: ByteBuffer.self)
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(SocketPlace(), name: SocketPlace.name)
                    if let tls {
                        try pipeline.addHandler(
                            NIOSSLClientHandler(context: tls, serverHostname: name)
                        )
                    }
                    try pipeline.addHandler(Arrivals(arrived))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        defer { channel.close(promise: nil) }
        return try await body(WireClient(channel, inbound))
    }

    /// Stops reading, as a phone out of reach does.
    func stall() async throws {
        try await channel.setOption(.autoRead, value: false).get()
    }

    /// Closes the connection abruptly: without close_notify, and with a reset if something was not read.
    func cut() async {
        let pipeline = channel.pipeline
        try? await channel.eventLoop.submit {
            try pipeline.syncOperations.context(name: SocketPlace.name).close(promise: nil)
        }.get()
    }

    /// Closes the sending side only.
    func endSending() async throws {
        try await channel.close(mode: .output).get()
    }

    func goOn() async throws {
        try await channel.setOption(.autoRead, value: true).get()
    }

    func send(_ bytes: some Sequence<UInt8>) async throws {
        try await channel.writeAndFlush(ByteBuffer(bytes: bytes)).get()
    }

    func send(_ text: String) async throws {
        try await send(Array(text.utf8))
    }

    func request(
        _ method: String,
        _ path: String,
        _ fields: [String: String] = [:],
    ) async throws -> WireResponse {
        var head = "\(method) \(path) HTTP/1.1\r\n"
        if fields["Host"] == nil { head += "Host: localhost\r\n" }
        for (name, value) in fields { head += "\(name): \(value)\r\n" }
        try await send(head + "\r\n")
        let response = try await response(hasBody: method != "HEAD")
        if path == "/metrics" { Traces.keep(response.body, as: .metrics) }
        return response
    }

    /// Waits for more bytes; false at the end of the connection.
    func more() async -> Bool {
        guard let next = await inbound.next(isolation: #isolation) else { return false }
        buffer.writeImmutableBuffer(next)
        return true
    }

    /// Everything until the server closes the connection.
    func rest() async -> [UInt8] {
        while await more() {}
        return Array(buffer.readableBytesView)
    }

    func responseHead() async throws -> WireResponse {
        while true {
            if let head = takeHead() { return head }
            guard await more() else { throw ConnectionEnded() }
        }
    }

    func response(hasBody: Bool = true) async throws -> WireResponse {
        var response = try await responseHead()
        guard hasBody, response.status != 304, let length = response.length else { return response }
        response.body.reserveCapacity(length)
        while response.body.count < length {
            if buffer.readableBytes == 0 {
                buffer.clear()
                guard await more() else { throw ConnectionEnded() }
            }
            let count = min(length - response.body.count, buffer.readableBytes)
            response.body += buffer.readBytes(length: count) ?? []
        }
        if response.status >= 400 { Traces.keep(response.body, as: .refusal) }
        return response
    }

    private func takeHead() -> WireResponse? {
        // In unoptimised code, an array is searched many times faster than a view of a ByteBuffer.
        guard let end = Array(buffer: buffer).firstRange(ofBytes: "\r\n\r\n".utf8),
            let text = buffer.readString(length: end.upperBound)
        else { return nil }
        return WireResponse(head: text)
    }

    struct ConnectionEnded: Error {}
}

/// The handler below TLS, where a connection can be closed without close_notify.
private final class SocketPlace: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    static let name = "socket"
}

/// Passes received bytes on, and ends with the connection or its receiving side.
private final class Arrivals: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let arrived: AsyncStream<ByteBuffer>.Continuation

    init(_ arrived: AsyncStream<ByteBuffer>.Continuation) {
        self.arrived = arrived
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        arrived.yield(unwrapInboundIn(data))
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { arrived.finish() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        arrived.finish()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        arrived.finish()
        context.close(promise: nil)
    }
}

struct WireResponse: Sendable {
    let status: Int
    /// Fields by their names in lower case.
    let fields: [String: String]
    var body: [UInt8] = []

    init(head: String) {
        let lines = head.components(separatedBy: "\r\n")
        status = Int(lines[0].split(separator: " ").dropFirst().first ?? "") ?? 0
        fields = lines.dropFirst().reduce(into: [:]) { found, line in
            guard let colon = line.firstIndex(of: ":") else { return }
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            found[line[..<colon].lowercased()] = value
        }
    }

    var length: Int? { fields["content-length"].flatMap(Int.init) }
    var text: String { String(decoding: body, as: UTF8.self) }
}
