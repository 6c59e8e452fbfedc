package import HummingbirdCore
package import Logging
package import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import NIOSSL

/// One client's connection: TLS, strict request parsing, and the task that answers the requests, all on
/// one event loop.
package struct PinnedConnection: HTTPChannelHandler {
    /// A connection whose pipeline is set up.
    package struct Value: ServerChildChannelValue {
        let http: NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>
        /// Completes at the first request that the cache cannot answer, or when the connection closes;
        /// nil if that has already happened.
        let firstRequest: EventLoopFuture<Void>?

        /// The connection's channel.
        package var channel: any Channel { http.channel }
    }

    let shared: ConnectionContext
    /// The certificate for new connections; nil on the plain port.
    let certificate: CurrentCertificate?
    let executors: LoopExecutors
    /// Answers the requests that the cache cannot answer.
    package let responder: HTTPChannelHandler.Responder

    /// - Parameters:
    ///   - shared: the state that all connections of the port share.
    ///   - certificate: for new connections; nil on the plain port.
    ///   - executors: the executors of the threads that own the connections.
    ///   - responder: answers the requests that the cache cannot answer.
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
            // One read at a time, so that back-pressure applies from the start.
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

    /// Answers the requests of a connection until it closes.
    ///
    /// If the task is cancelled because the server stops, the connection is cut: an ordinary close would
    /// wait for a client that does not read.
    package func handle(value: Value, logger: Logger) async {
        let channel = value.channel
        await withTaskCancellationHandler {
            await withTaskExecutorPreference(executors[channel.eventLoop]) {
                // A task that waits here takes 2 KB less than one that waits inside `handleHTTP`.
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

/// The clock's reference to the gate, weak to avoid a reference cycle.
private final class WeakGate {
    weak var gate: RequestGate?
    weak var context: ChannelHandlerContext?

    func expired(_ expiry: ConnectionClock.Expiry) {
        guard let gate, let context else { return }
        gate.expired(expiry, context: context)
    }
}
