import Cryptography
import NIOCore
import NIOPosix
import NIOSSL

/// TLS termination in front of a server without TLS.
enum SecureFront {
    private struct End: Error {}
    private typealias Bytes = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    /// Runs while `body` runs, for the server at `address`, such as `127.0.0.1:8080`.
    static func run(
        before address: String,
        _ body:
            @Sendable @escaping (_ address: String, _ authority: Certificate) async throws ->
            Void,
    ) async throws {
        let identity = try ServerIdentity(for: "127.0.0.1")
        let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(host: "127.0.0.1", port: 0) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        NIOSSLServerHandler(context: identity.context)
                    )
                    return try Bytes(wrappingChannelSynchronously: channel)
                }
            }
        try await server.executeThenClose { inbound in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    await withDiscardingTaskGroup { connections in
                        do {
                            for try await client in inbound {
                                connections.addTask { try? await pass(client, to: address) }
                            }
                        } catch {}
                    }
                }
                let port = server.channel.localAddress?.port ?? 0
                try await body("127.0.0.1:\(port)", identity.authority)
                group.cancelAll()
            }
        }
    }

    private static func pass(_ client: Bytes, to address: String) async throws {
        let parts = address.split(separator: ":")
        try await client.executeThenClose { fromClient, toClient in
            let server = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connect(host: String(parts[0]), port: Int(parts[1]) ?? 0) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try Bytes(wrappingChannelSynchronously: channel)
                    }
                }
            try await server.executeThenClose { fromServer, toServer in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        for try await bytes in fromClient { try await toServer.write(bytes) }
                        throw End()
                    }
                    group.addTask {
                        for try await bytes in fromServer { try await toClient.write(bytes) }
                        throw End()
                    }
                    try await group.next()
                }
            }
        }
    }
}
