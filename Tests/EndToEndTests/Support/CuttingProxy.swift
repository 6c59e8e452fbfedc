import NIOCore
import NIOPosix
import Synchronization

/// A network that loses connections: forwards bytes to a port of this machine, and cuts the connection after
/// given numbers of bytes from the client.
final class CuttingProxy: Sendable {
    /// An action that runs after a number of bytes.
    struct Event: Sendable {
        let mark: Int
        let happens: @Sendable () async throws -> Void
    }

    private struct Cut: Error {}

    private struct State {
        var bytes = 0
        var cuts: [Int]
        var events: [Event]
    }

    private let target: Int
    private let state: Mutex<State>

    private init(to target: Int, cuts: [Int], events: [Event]) {
        self.target = target
        state = Mutex(State(cuts: cuts, events: events))
    }

    /// The number of bytes received from clients.
    var bytes: Int { state.withLock { $0.bytes } }
    /// The number of remaining cuts.
    var cutsLeft: Int { state.withLock { $0.cuts.count } }

    /// Runs on a free port, which it passes to `body`.
    static func run(
        to target: Int,
        cuts: [Int],
        events: [Event],
        _ body: @Sendable @escaping (Int, CuttingProxy) async throws -> Void,
    ) async throws {
        let proxy = CuttingProxy(to: target, cuts: cuts, events: events)
        let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.socketOption(.so_rcvbuf), value: 64 << 10)
            .bind(host: "127.0.0.1", port: 0) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                        wrappingChannelSynchronously: channel
                    )
                }
            }
        try await server.executeThenClose { inbound in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    await withDiscardingTaskGroup { connections in
                        do {
                            for try await client in inbound {
                                connections.addTask { try? await proxy.pass(client) }
                            }
                        } catch {}
                    }
                }
                try await body(server.channel.localAddress?.port ?? 0, proxy)
                group.cancelAll()
            }
        }
    }

    private func pass(_ client: NIOAsyncChannel<ByteBuffer, ByteBuffer>) async throws {
        try await client.executeThenClose { fromClient, toClient in
            let server = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connect(host: "127.0.0.1", port: target) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                            wrappingChannelSynchronously: channel
                        )
                    }
                }
            try await server.executeThenClose { fromServer, toServer in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        for try await bytes in fromClient {
                            try await toServer.write(bytes)
                            try await self.count(bytes.readableBytes)
                        }
                        throw Cut()
                    }
                    group.addTask {
                        for try await bytes in fromServer { try await toClient.write(bytes) }
                        throw Cut()
                    }
                    // The end of one direction ends both.
                    try await group.next()
                }
            }
        }
    }

    private func count(_ bytes: Int) async throws {
        let (isCut, due): (Bool, [Event]) = state.withLock { state in
            state.bytes += bytes
            let due = state.events.filter { $0.mark <= state.bytes }
            state.events.removeAll { $0.mark <= state.bytes }
            guard let cut = state.cuts.first, cut <= state.bytes else { return (false, due) }
            state.cuts.removeFirst()
            return (true, due)
        }
        for event in due { try await event.happens() }
        if isCut { throw Cut() }
    }
}
