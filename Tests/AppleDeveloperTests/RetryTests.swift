@testable import AppleDeveloper
import Foundation
import HTTPCalling
import Synchronization
import Testing

/// Temporary errors are retried with growing pauses; others are reported at once.
struct RetryTests {
    @Test func `pauses double up to a bound, between a half and the whole`() {
        let policy = RetryPolicy()
        let least = (1...5).map { policy.pause(after: .failed, attempt: $0, random: 0) }
        #expect(least == [0.5, 1, 2, 4, 8])
        #expect(policy.pause(after: .failed, attempt: 6, random: 0) == nil)
        var patient = policy
        patient.attempts = 1000
        #expect(patient.pause(after: .failed, attempt: 999, random: 0.999) ?? 0 <= 60)
    }

    @Test func `what Apple asks to wait for is waited for, and never less`() {
        let policy = RetryPolicy()
        for random in [0, 0.5, 0.999] {
            let pause = policy.pause(
                after: .rateLimited(retryAfter: 30),
                attempt: 1,
                random: random,
            )
            #expect((30...31).contains(pause ?? 0))
        }
        #expect(
            policy.pause(after: .rateLimited(retryAfter: 3600), attempt: 1, random: 0) == nil
        )
    }

    @Test func `too many requests are repeated after a while, without and with a time`()
        async throws
    {
        let clock = PausingClock()
        let transport = ScriptedTransport { number, _ in
            switch number {
            case 1: .refusal(429, "RATE_LIMIT_EXCEEDED")
            case 2: .refusal(429, "RATE_LIMIT_EXCEEDED", headers: ["retry-after": "20"])
            default: .noDevices
            }
        }
        let account = try TestAccount.account(transport, clock)
        #expect(try await account.devices().isEmpty)
        #expect(transport.requests.count == 3)
        #expect(clock.pauses.count == 2 && clock.pauses[0] < 1 && clock.pauses[1] >= 20)
    }

    @Test func `a rate that does not pass is left for later, with the time`() async throws {
        let transport = ScriptedTransport { _, _ in
            .refusal(429, "RATE_LIMIT_EXCEEDED", headers: ["retry-after": "1800"])
        }
        let account = try TestAccount.account(transport)
        #expect(await failure { _ = try await account.devices() } == .rateLimited(seconds: 1800))
        #expect(transport.requests.count == 1)
    }

    @Test func `a burst of failures is outlived by reads, and bounded`() async throws {
        let clock = PausingClock()
        let burst = ScriptedTransport { number, _ in
            number < 4 ? .json("<html>", status: 502) : .noDevices
        }
        #expect(try await TestAccount.account(burst, clock).devices().isEmpty)
        #expect(clock.pauses.count == 3)
        let broken = ScriptedTransport { _, _ in .json("", status: 500) }
        let account = try TestAccount.account(broken)
        #expect(await failure { _ = try await account.devices() } == .unavailable(status: 500))
        #expect(broken.requests.count == RetryPolicy().attempts)
    }

    @Test func `a connection that is cut is tried again, an untrusted one is not`() async throws {
        let cut = ScriptedTransport { number, _ throws(CallTrouble) in
            guard number > 2 else { throw .unreachable(reason: "cut") }
            return .noDevices
        }
        #expect(try await TestAccount.account(cut).devices().isEmpty)
        let untrusted = ScriptedTransport { _, _ throws(CallTrouble) in
            throw .untrusted(reason: "x")
        }
        let account = try TestAccount.account(untrusted)
        #expect(await failure { _ = try await account.devices() } == .untrusted(reason: "x"))
        #expect(untrusted.requests.count == 1)
    }

    @Test func `a refused token is renewed once`() async throws {
        let clock = PausingClock()
        let transport = ScriptedTransport { number, _ in
            number == 2 ? .refusal(401, "NOT_AUTHORIZED") : .noDevices
        }
        let account = try TestAccount.account(transport, clock)
        _ = try await account.devices()
        _ = try await account.devices()
        let tokens = transport.requests.map { $0.headers["authorization"] }
        // ECDSA signs with a random number, so a second token differs.
        #expect(tokens.count == 3 && tokens[0] == tokens[1] && tokens[1] != tokens[2])
    }

    @Test func `a token is used for minutes and then made anew`() async throws {
        let clock = PausingClock()
        let transport = ScriptedTransport { _, _ in .noDevices }
        let account = try TestAccount.account(transport, clock)
        _ = try await account.devices()
        clock.pass(600)
        _ = try await account.devices()
        clock.pass(600)
        _ = try await account.devices()
        let tokens = transport.requests.map { $0.headers["authorization"] }
        #expect(tokens[0] == tokens[1] && tokens[1] != tokens[2])
    }

    @Test(
        arguments: [
            ("Fri, 15 Jan 2027 08:00:10 GMT", nil),
            ("Fri, 15 Jan 2027 06:00:00 GMT", 7200), ("Fri, 15 Jan 2027 09:00:00 GMT", -3600),
            ("no date", nil),
        ] as [(String, Int?)]
    )
    func `a wrong clock is told from a revoked key`(date: String, seconds: Int?) async throws {
        let transport = ScriptedTransport { _, _ in
            .refusal(401, "NOT_AUTHORIZED", headers: ["date": date])
        }
        let account = try TestAccount.account(transport)
        let found = await failure { _ = try await account.devices() }
        #expect(found == seconds.map { .clockDiffers(seconds: $0) } ?? .keyRefused)
        #expect(transport.requests.count == 2)
    }

    @Test func `calls of one team go one at a time`() async throws {
        let transport = ScriptedTransport { _, _ in .noDevices }
        let account = try TestAccount.account(transport)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { _ = try await account.devices() } }
            try await group.waitForAll()
        }
        #expect(transport.requests.count == 20 && transport.mostAtOnce == 1)
    }

    @Test func `when the hour's requests run out, calls keep a distance`() async throws {
        let clock = PausingClock()
        let transport = ScriptedTransport { _, _ in
            .json(
                #"{"data": [], "links": {"self": "/"}}"#,
                headers: ["x-rate-limit": "user-hour-lim:3600;user-hour-rem:100;"],
            )
        }
        let account = try TestAccount.account(transport, clock)
        for _ in 0..<3 { _ = try await account.devices() }
        #expect(clock.pauses == [1, 1])
    }

    @Test func `a redirect is not followed`() async throws {
        let transport = ScriptedTransport { _, _ in
            .json("", status: 302, headers: ["location": "https://elsewhere.example/"])
        }
        let account = try TestAccount.account(transport)
        let found = await failure { _ = try await account.devices() }
        #expect(found == .unreadable(reason: "a redirect (status 302)"))
        #expect(transport.requests.count == 1)
    }

    @Test func `whoever stops waiting hears that it was stopped`() async throws {
        let transport = ScriptedTransport { _, _ in .json("", status: 500) }
        let account = try TestAccount.account(transport)
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return await failure { _ = try await account.devices() }
        }
        task.cancel()
        let found = await task.value
        #expect(found == .interrupted)
    }
}
