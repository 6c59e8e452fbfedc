package import HummingbirdCore
package import Logging
package import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import NIOSSL

/// One client's connection: TLS, the strict reading of requests, and the task that answers them,
/// all on one event loop.
package struct PinnedConnection: HTTPChannelHandler {
    /// A connection that is set up.
    package struct Value: ServerChildChannelValue {
        let http: NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>
        /// Ends with the first request that no memory answers, or with the connection; nil when that
        /// has ended already.
        let firstRequest: EventLoopFuture<Void>?

        /// The connection's channel.
        package var channel: any Channel { http.channel }
    }

    let shared: ConnectionContext
    /// The certificate for new connections; nil on the plain port.
    let certificate: CurrentCertificate?
    let executors: LoopExecutors
    /// Answers what no memory answers.
    package let responder: HTTPChannelHandler.Responder

    /// - Parameters:
    ///   - shared: what every connection of the port shares.
    ///   - certificate: for new connections; nil on the plain port.
    ///   - executors: of the threads that own the connections.
    ///   - responder: answers what no memory answers.
    package init(
        shared: ConnectionContext,
        certificate: CurrentCertificate?,
        executors: LoopExecutors,
        responder: @escaping HTTPChannelHandler.Responder,
    ) {
        self.shared = shared
        self.certificate = certificate
        self.executors = executors
        self.responder = responder
    }

    /// Builds the pipeline of a new connection, from the socket to the HTTP decoder and encoder.
    package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            let end = SocketEnd()
            try pipeline.addHandler(end)
            let place = ConnectionPlace(in: shared.shares)
            try pipeline.addHandler(place)
            // One read at a time, so that back-pressure counts from the first.
            try channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
            if let certificate, place.isAdmitted {
                if certificate.challenges.isEmpty {
                    try pipeline.addHandler(NIOSSLServerHandler(context: certificate.context))
                } else {
                    try pipeline.addHandler(HandshakeChoice(certificate))
                }
            }
            let weakGate = WeakGate()
            let clock = ConnectionClock(limits: shared.limits, channel: channel) { expiry in
                weakGate.expired(expiry)
            }
            let rawWriter = RawResponseWriter()
            try pipeline.addHandler(rawWriter)
            let gate = RequestGate(shared: shared, clock: clock, rawWriter: rawWriter, end: end)
            let headGuard = HeadGuard(limits: shared.limits, clock: clock, gate: gate)
            gate.headGuard = headGuard
            try pipeline.addHandler(headGuard)
            try pipeline.configureHTTPServerPipeline(
                withPipeliningAssistance: false,
                withErrorHandling: false,
                withOutboundHeaderValidation: false,
            )
            try pipeline.addHandler(gate)
            weakGate.gate = gate
            weakGate.context = try pipeline.context(handler: gate)
            try pipeline.addHandler(BodyIntake(isTaken: { gate.bodyPolicy.isTaken }))
            try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: certificate != nil))
            return Value(
                http: try NIOAsyncChannel(
                    wrappingChannelSynchronously: channel,
                    configuration: .init(isOutboundHalfClosureEnabled: true),
                ),
                firstRequest: gate.firstRequest,
            )
        }
    }

    /// Answers what the connection asks until it ends, or until the server has no more time: it is
    /// cut then, because an ordinary close would wait for a client that takes nothing.
    package func handle(value: Value, logger: Logger) async {
        let channel = value.channel
        await withTaskCancellationHandler {
            await withTaskExecutorPreference(executors[channel.eventLoop]) {
                // A task that waits here takes 2 KB less than one that waits in there.
                try? await value.firstRequest?.get()
                await handleHTTP(asyncChannel: value.http, logger: logger)
            }
        } onCancel: {
            channel.eventLoop.execute {
                try? channel.pipeline.syncOperations.handler(type: SocketEnd.self).cut()
            }
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
