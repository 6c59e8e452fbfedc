import NIOCore
import NIOSSL
import NIOTLS

/// Parses the ClientHello of a connection and chooses the certificate for it.
///
/// Part of a pipeline only while an ACME challenge is under way.
final class HandshakeChoice: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let certificate: CurrentCertificate
    private var held = ByteBuffer()
    private var isMade = false

    init(_ certificate: CurrentCertificate) {
        self.certificate = certificate
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var part = unwrapInboundIn(data)
        guard !isMade else { return context.fireChannelRead(wrapInboundOut(part)) }
        held.writeBuffer(&part)
        switch ClientHello.read(Array(buffer: held)) {
        case .incomplete: return
        case .complete(let hello): choose(certificate.challenges.context(for: hello), context)
        case .other: choose(nil, context)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        guard isMade else { return context.read() }
        context.fireChannelReadComplete()
    }

    private func choose(_ challenge: NIOSSLContext?, _ context: ChannelHandlerContext) {
        isMade = true
        let pipeline = context.pipeline.syncOperations
        do {
            let tls = NIOSSLServerHandler(context: challenge ?? certificate.context)
            try pipeline.addHandler(tls, position: .after(self))
            if challenge != nil { try pipeline.addHandler(ChallengeEnd(), position: .after(tls)) }
        } catch {
            return context.close(promise: nil)
        }
        let bytes = held
        held = ByteBuffer()
        context.fireChannelRead(wrapInboundOut(bytes))
        pipeline.removeHandler(self, promise: nil)
    }
}

/// Closes a challenge connection after the handshake: no application data is sent on it (RFC 8737 section
/// 3).
private final class ChallengeEnd: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        context.fireUserInboundEventTriggered(event)
        if case TLSUserEvent.handshakeCompleted = event { context.close(promise: nil) }
    }
}
