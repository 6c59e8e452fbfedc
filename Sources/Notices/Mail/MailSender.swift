import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// Sends one message to the mail server (RFC 5321), on a connection of its own.
struct MailSender: Sendable {
    let server: MailServer
    /// The time limit of the whole delivery, from the first step on.
    let timeout: Duration
    let connectTimeout: Duration
    let group: MultiThreadedEventLoopGroup

    /// Sends a message.
    ///
    /// - Parameters:
    ///   - message: the message.
    ///   - receiver: the receiver's address.
    /// - Returns: the reply code with which the mail server accepted it.
    /// - Throws: ``MailFailure``, and the libraries' errors about the connection.
    func send(_ message: MailMessage, to receiver: MailAddress) async throws -> Int {
        let context = try tlsContext()
        let isTLS = server.url.security == .implicitTLS
        let name = server.url.name
        let first = FirstError()
        let channel = try await ClientBootstrap(group: group)
            .connectTimeout(TimeAmount(connectTimeout))
            .connect(host: server.url.host, port: server.url.port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    if isTLS {
                        try channel.pipeline.syncOperations.addHandler(
                            NIOSSLClientHandler(context: context, serverHostname: name)
                        )
                    }
                    try channel.pipeline.syncOperations.addHandler(first)
                    return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                        wrappingChannelSynchronously: channel
                    )
                }
            }
        let began = ContinuousClock.now
        let own = channel.channel
        let alarm = own.eventLoop.scheduleTask(in: TimeAmount(timeout)) { own.close(promise: nil) }
        defer { alarm.cancel() }
        do {
            return try await channel.executeThenClose { inbound, outbound in
                var session = SMTPSession(
                    inbound: inbound.makeAsyncIterator(),
                    outbound: outbound,
                    server: server,
                )
                return try await session.send(message, to: receiver) {
                    try await own.eventLoop.submit {
                        try own.pipeline.syncOperations.addHandler(
                            NIOSSLClientHandler(context: context, serverHostname: name),
                            position: .first,
                        )
                    }.get()
                }
            }
        } catch {
            guard ContinuousClock.now - began < timeout else { throw MailFailure.tooSlow(timeout) }
            switch error {
            case ChannelError.ioOnClosedChannel, ChannelError.alreadyClosed:
                throw first.error ?? MailFailure.closed
            default: throw error
            }
        }
    }

    private func tlsContext() throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        if !server.authorities.isEmpty {
            configuration.additionalTrustRoots = [.certificates(server.authorities)]
        }
        return try NIOSSLContext(configuration: configuration)
    }
}

/// Keeps the first error of a connection, such as a failed handshake.
///
/// A write at the same moment only fails because the connection is closed.
private final class FirstError: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    private let kept = Mutex<(any Error)?>(nil)

    var error: (any Error)? { kept.withLock { $0 } }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        kept.withLock { $0 = $0 ?? error }
        context.fireErrorCaught(error)
    }
}

/// A session with a mail server.
private struct SMTPSession {
    var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    let server: MailServer
    private var reader = SMTPReplyReader()

    init(
        inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator,
        outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>,
        server: MailServer,
    ) {
        self.inbound = inbound
        self.outbound = outbound
        self.server = server
    }

    /// Greets the server, secures the connection, authenticates and sends the message.
    mutating func send(
        _ message: MailMessage,
        to receiver: MailAddress,
        securing secure: () async throws -> Void,
    ) async throws -> Int {
        try Self.expect(220, try await reply(), "the connection")
        var hello = try await greet()
        if server.url.security == .startTLS {
            guard hello.capabilities.contains(["STARTTLS"]) else { throw MailFailure.noTLS }
            try await command("STARTTLS", expecting: 220, "STARTTLS")
            guard !reader.hasMore else { throw MailFailure.spokeBeforeTLS }
            try await secure()
            hello = try await greet()
        }
        if let login = server.login { try await signIn(login, hello) }
        try await command("MAIL FROM:<\(server.from)>", expecting: 250, "MAIL FROM")
        try await command("RCPT TO:<\(receiver)>", expecting: 250, "RCPT TO")
        try await command("DATA", expecting: 354, "DATA")
        try await outbound.write(ByteBuffer(bytes: message.bytes + Array(".\r\n".utf8)))
        let taken = try await reply()
        try Self.expect(250, taken, "the message")
        // The mail server has accepted the message, whatever happens to the connection.
        try? await outbound.write(ByteBuffer(string: "QUIT\r\n"))
        return taken.code
    }

    private mutating func greet() async throws -> SMTPReply {
        try await command("EHLO \(server.from.domain)", expecting: 250, "EHLO")
    }

    private mutating func signIn(_ login: MailLogin, _ hello: SMTPReply) async throws {
        guard server.url.security != .none else { throw MailFailure.noTLS }
        let ways = hello.capabilities.first { $0.first == "AUTH" }?.dropFirst() ?? []
        func encoded(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
        if ways.contains("PLAIN") {
            let secret = encoded("\0\(login.user)\0\(login.password)")
            try await command("AUTH PLAIN \(secret)", expecting: 235, "AUTH")
        } else if ways.contains("LOGIN") {
            try await command("AUTH LOGIN", expecting: 334, "AUTH")
            try await command(encoded(login.user), expecting: 334, "AUTH")
            try await command(encoded(login.password), expecting: 235, "AUTH")
        } else {
            throw MailFailure.noLogin
        }
    }

    @discardableResult
    private mutating func command(
        _ text: String,
        expecting code: Int,
        _ step: String,
    ) async throws -> SMTPReply {
        try await outbound.write(ByteBuffer(string: text + "\r\n"))
        let reply = try await reply()
        try Self.expect(code, reply, step)
        return reply
    }

    private mutating func reply() async throws -> SMTPReply {
        while true {
            if let reply = try reader.next() { return reply }
            guard let bytes = try await inbound.next(isolation: #isolation) else {
                throw MailFailure.closed
            }
            reader.add(bytes)
        }
    }

    private static func expect(
        _ code: Int,
        _ reply: SMTPReply,
        _ step: String,
    ) throws(MailFailure) {
        guard reply.code == code || code == 250 && reply.code == 251 else {
            throw .refused(step: step, code: reply.code, text: reply.lines.joined(separator: " "))
        }
    }
}
