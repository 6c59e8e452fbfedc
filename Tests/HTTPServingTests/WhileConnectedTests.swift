import NIOCore
import NIOEmbedded
import Testing

@testable import HTTPServing

/// Work that is cancelled when its connection ends.
@Suite(.timeLimit(.minutes(1)))
struct WhileConnectedTests {
    @Test(arguments: [true, false])
    func `work is cancelled when the client stops sending or disconnects`(
        isHalf: Bool
    ) async throws {
        let channel = NIOAsyncTestingChannel()
        try await channel.connect(to: SocketAddress(unixDomainSocketPath: "/none")).get()
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let work = Task {
            try await channel.whileConnected {
                begin.yield()
                try await Task.sleep(for: .seconds(3600))
            }
        }
        for await _ in begun { break }
        if isHalf {
            try await channel.testingEventLoop.executeInContext {
                channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
            }
        } else {
            try await channel.close().get()
        }
        await #expect(throws: CancellationError.self) { try await work.value }
        _ = try? await channel.finish()
    }

    @Test func `work of a client that stays ends by itself`() async throws {
        let channel = NIOAsyncTestingChannel()
        try await channel.connect(to: SocketAddress(unixDomainSocketPath: "/none")).get()
        #expect(try await channel.whileConnected { 7 } == 7)
        _ = try? await channel.finish()
    }
}
