@testable import AppleDeveloper
import Foundation
import HTTPCalling
import TestSupport
import Testing

/// The control orders by which tests kill a process during a change, and set Apple's clock.
@Suite(.timeLimit(.minutes(10)))
struct KillOrderTests {
    @Test(arguments: ["arrival", "unanswered", "answered"])
    func `a process is killed at its second change`(moment: String) async throws {
        try await RunningAppleServer.run { server in
            let victim = try Program(path: "/bin/sleep").start(["600"], in: server.folder)
            defer { victim.send(SIGKILL) }
            try await server.order(
                """
                {"traps": [{"kind": "kill", "process": \(victim.processIdentifier), "skip": 1,
                "moment": "\(moment)"}]}
                """
            )
            try await server.account { account in
                _ = try await account.register(try TestAccount.udid(1), name: "Ana")
                // Reads do not count.
                #expect(try await account.devices().count == 1)
                #expect(try await server.report().trapsLeft == 1)
                // The process that is killed is not the one that sends the request.
                _ = try? await account.register(try TestAccount.udid(2), name: "Ben")
            }
            #expect(try await victim.status() == 128 + SIGKILL)
            let report = try await server.report()
            #expect(report.trapsLeft == 0)
            let changes = report.requests.filter { $0.method == "POST" }.map(\.status)
            #expect(changes.prefix(2) == [201, moment == "arrival" ? 0 : 201])
            #expect(report.devices.count == changes.count { $0 == 201 })
        }
    }

    @Test func `Apple's clock stands where it was set`() async throws {
        try await RunningAppleServer.run { server in
            let clock = PausingClock(Date(timeIntervalSince1970: 1_900_000_000))
            try await server.order(#"{"clock": 1900000000}"#)
            try await server.account(clock: clock) { account in
                _ = try await account.register(try TestAccount.udid(1), name: "Ana")
            }
            try await server.account { account in
                let failure = await failure { _ = try await account.devices() }
                guard case .clockDiffers = failure else {
                    Issue.record("not refused for its clock: \(failure.map { "\($0)" } ?? "-")")
                    return
                }
            }
        }
    }
}
