import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import NIOSSL

/// One client's connection: TLS, the strict reading of requests, and the task that answers them,
/// all on one event loop.
struct PinnedConnection: HTTPChannelHandler {
    typealias Value = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    let door: Door
    /// The certificate for new connections; nil on the plain port.
    let certificate: CurrentCertificate?
    let executors: LoopExecutors
    let responder: HTTPChannelHandler.Responder

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            let end = SocketEnd()
            try pipeline.addHandler(end)
            if let certificate {
                try pipeline.addHandler(NIOSSLServerHandler(context: certificate.context))
            }
            let weakGate = WeakGate()
            let clock = ConnectionClock(limits: door.limits, channel: channel) { expiry in
                weakGate.expired(expiry)
            }
            let wire = Wire()
            try pipeline.addHandler(wire)
            try pipeline.addHandler(HeadGuard(limits: door.limits, clock: clock))
            try pipeline.configureHTTPServerPipeline(
                withPipeliningAssistance: false,
                withErrorHandling: false,
                withOutboundHeaderValidation: false,
            )
            let gate = RequestGate(door: door, clock: clock, wire: wire, end: end)
            try pipeline.addHandler(gate)
            weakGate.gate = gate
            weakGate.context = try pipeline.context(handler: gate)
            try pipeline.addHandler(BodyIntake(isTaken: door.bringsBuild))
            try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: certificate != nil))
            return try NIOAsyncChannel(
                wrappingChannelSynchronously: channel,
                configuration: .init(isOutboundHalfClosureEnabled: true),
            )
        }
    }

    func handle(value: Value, logger: Logger) async {
        await withTaskExecutorPreference(executors[value.channel.eventLoop]) {
            await handleHTTP(asyncChannel: value, logger: logger)
        }
    }
}

/// The way back from the clock to the gate, without a cycle of references.
private final class WeakGate {
    weak var gate: RequestGate?
    weak var context: ChannelHandlerContext?

    func expired(_ expiry: ConnectionClock.Expiry) {
        guard let gate, let context else { return }
        gate.expired(expiry, context: context)
    }
}
