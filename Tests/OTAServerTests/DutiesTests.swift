import Foundation
import Logging
@testable import OTAServer
import ServiceLifecycle
import Store
import StoreFixtures
import Testing

/// Tasks that are done once, no matter how many servers share a store.
@Suite(.timeLimit(.minutes(2))) struct DutiesTests {
    private let date = Date(timeIntervalSince1970: 1_800_000_000)

    @Test func `one of several servers has the duties, and another one when that stops`()
        async throws
    {
        let store = try OTAStore.openOrCreate(on: MemoryBackend(), now: date)
        let servers = (0..<3).map { _ in
            Duties(store, as: nil, logger: Logger(label: "test"))
        }
        for server in servers { #expect(server.isShared && server.lease == nil) }
        let groups = servers.map { server in
            ServiceGroup(services: [server], logger: Logger(label: "test"))
        }
        let tasks = groups.map { group in Task { try await group.run() } }
        let first = try await Self.holder(of: servers)
        #expect(first.words?.hasPrefix("this server is the leader") == true)
        for _ in 0..<20 {
            #expect(servers.count { $0.lease != nil } == 1)
            try await Task.sleep(for: .milliseconds(10))
        }
        let index = try #require(servers.firstIndex { $0 === first })
        await groups[index].triggerGracefulShutdown()
        try await tasks[index].value
        #expect(first.lease == nil)
        let next = try await Self.holder(of: servers)
        #expect(next !== first)
        #expect(servers.count { $0.lease != nil } == 1)
        for group in groups { await group.triggerGracefulShutdown() }
        for task in tasks { try await task.value }
    }

    @Test func `a server that is alone has them without asking`() throws {
        let store = try OTAStore.openOrCreate(on: MemoryBackend(), now: date)
        let lease = try #require(try store.backend.claimForServer())
        let duties = Duties(store, as: lease, logger: Logger(label: "test"))
        #expect(!duties.isShared && duties.lease != nil && duties.words == nil)
    }

    private static func holder(of servers: [Duties]) async throws -> Duties {
        for _ in 0..<1_000 {
            if let holder = servers.first(where: { $0.lease != nil }) { return holder }
            try await Task.sleep(for: .milliseconds(20))
        }
        return try #require(nil, "none of them has the duties")
    }
}
