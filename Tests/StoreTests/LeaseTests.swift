@testable import ObjectStore
@testable import S3
import Store
import TestSupport
import Testing

/// Work that only one of several servers does.
@Suite(.enabled(if: StorePlace.Kind.allCases.contains(.object)), .timeLimit(.minutes(10)))
struct LeaseTests {
    @Test func `a lease outlasts its life while its holder renews it`() async throws {
        try await withServers { first, second, _ in
            let lease = try #require(try first.claim("duties"))
            try await Task.sleep(for: Self.timing.life * 3)
            #expect(lease.isHeld)
            #expect(try second.claim("duties") == nil)
        }
    }

    @Test func `what is given back is free at once, and each claim has a greater number`()
        async throws
    {
        try await withServers { first, second, _ in
            var lease = try first.claim("duties")
            let fence = try #require(lease?.fence)
            lease = nil
            let next = try #require(try second.claim("duties"))
            #expect(try #require(next.fence) > fence)
            #expect(try first.claim("duties") == nil)
        }
    }

    @Test func `a holder that is cut off knows that it has lost before another one begins`()
        async throws
    {
        try await withServers { first, second, line in
            let lease = try #require(try first.claim("duties"))
            line.change { $0.isCut = true }
            let next = try await soon { try second.claim("duties") }
            #expect(!lease.isHeld)
            #expect(throws: StoreFailure.leaseLost) { try lease.require() }
            #expect(next.isHeld)
            // The connection returns, and the lost lease stays lost.
            line.change { $0.isCut = false }
            try await Task.sleep(for: Self.timing.renewal * 2)
            #expect(!lease.isHeld)
            #expect(next.isHeld)
        }
    }

    @Test func `a renewal whose answer is lost is known again`() async throws {
        try await withServers { first, second, line in
            let lease = try #require(try first.claim("duties"))
            for _ in 0..<3 {
                line.change { $0.answersToLose = 1 }
                try await Task.sleep(for: Self.timing.renewal * 2)
                #expect(lease.isHeld)
            }
            #expect(try second.claim("duties") == nil)
        }
    }

    @Test func `of many that claim what has passed, one has it`() async throws {
        try await withServers { first, _, line in
            let gone = try #require(try first.claim("duties"))
            line.change { $0.isCut = true }
            let claims = try await withThrowingTaskGroup(of: (any WorkLease)?.self) { group in
                for _ in 0..<8 {
                    let other = try Self.backend(like: first, nil)
                    group.addTask {
                        for _ in 0..<60 {
                            if let lease = try other.claim("duties") { return lease }
                            try await Task.sleep(for: .milliseconds(50))
                        }
                        return nil
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(claims.compactMap(\.self).count { $0.isHeld } == 1)
            #expect(!gone.isHeld)
        }
    }

    private static let timing = LeaseTiming(
        life: .milliseconds(900),
        renewal: .milliseconds(200),
    )

    private static func backend(
        like place: ObjectBackend,
        _ line: FaultyLine?,
    ) throws -> ObjectBackend {
        try ObjectPlace.backend(like: place, through: line, leases: timing)
    }

    /// Runs with two servers, the first one on a connection that the test cuts.
    private func withServers(
        _ body: (ObjectBackend, ObjectBackend, FaultyLine) async throws -> Void
    ) async throws {
        try await withPlace(.object) { place in
            _ = try place.openOrCreate()
            let backend = try #require(try place.backend() as? ObjectBackend)
            let line = FaultyLine(try ObjectPlace.connection.get())
            try await body(
                try Self.backend(like: backend, line),
                try Self.backend(like: backend, nil),
                line,
            )
        }
    }
}

/// Waits for a value for a while.
func soon<Value>(_ look: () throws -> Value?) async throws -> Value {
    for _ in 0..<600 {
        if let value = try look() { return value }
        try await Task.sleep(for: .milliseconds(50))
    }
    return try #require(try look())
}
