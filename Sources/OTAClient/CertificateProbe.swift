import NIOCore
import NIOSSL

/// Records the certificates that a server presents, and rejects them all, which ends the connection.
final class CertificateProbe: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    let chain: EventLoopFuture<[[UInt8]]>
    private var promise: EventLoopPromise<[[UInt8]]>?

    init(promise: EventLoopPromise<[[UInt8]]>) {
        self.promise = promise
        chain = promise.futureResult
    }

    func handler(_ context: NIOSSLContext, _ name: String?) throws -> NIOSSLClientHandler {
        let promise = promise
        return try NIOSSLClientHandler(
            context: context,
            serverHostname: name,
            customVerificationCallback: { certificates, verdict in
                promise?.succeed(certificates.compactMap { try? $0.toDERBytes() })
                verdict.succeed(.failed)
            },
        )
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        promise?.fail(error)
        promise = nil
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        promise?.fail(ChannelError.eof)
        promise = nil
        context.fireChannelInactive()
    }

    /// Called if no connection was made.
    func handlerRemoved(context: ChannelHandlerContext) {
        promise?.fail(ChannelError.eof)
        promise = nil
    }
}
