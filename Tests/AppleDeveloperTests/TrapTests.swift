@testable import AppleDeveloper
import Cryptography
import Foundation
import HTTPCalling
import Identifiers
import TestSupport
import Testing

/// Problems at Apple, each with its effect and its sentence.
@Suite(.timeLimit(.minutes(10)))
struct TrapTests {
    /// Registers devices, an App ID and a certificate, and returns a draft of a profile for them.
    private func draft(
        _ account: DeveloperAccount,
        devices count: Int = 2,
        number: UInt32 = 1,
    ) async throws -> ProfileDraft {
        var devices: [AccountDevice] = []
        for number in 1...count {
            devices.append(
                try await account.register(
                    try TestAccount.udid(number),
                    name: "Device \(number)",
                )
            )
        }
        let bundle = try #require(BundleIdentifier("com.example.browsey"))
        let appID = try await account.register(bundle, name: "Browsey")
        let certificate = try #require(try await account.certificates().first)
        return ProfileDraft(
            name: try TestAccount.profileName(number),
            bundleID: appID.id,
            certificate: certificate.id,
            devices: devices,
        )
    }

    @Test func `too many requests, with and without a time, only delay`() async throws {
        try await RunningAppleServer.run { server in
            let clock = PausingClock(Date())
            try await server.order(
                #"{"traps": [{"kind": "rateLimited", "count": 2}, "#
                    + #"{"kind": "rateLimited", "retryAfter": 7, "skip": 1}]}"#
            )
            try await server.account(clock: clock) { account in
                _ = try await account.register(try TestAccount.udid(1), name: "Ana")
            }
            #expect(clock.pauses.count == 3 && clock.pauses.contains { $0 >= 7 })
            #expect(try await server.report().devices.count == 1)
        }
    }

    @Test func `a burst of failures only delays`() async throws {
        try await RunningAppleServer.run { server in
            try await server.order(
                #"{"traps": [{"kind": "status", "status": 500}, {"kind": "status", "status": 502}, "#
                    + #"{"kind": "status", "status": 504, "method": "POST"}]}"#
            )
            try await server.account { account in
                _ = try await account.register(try TestAccount.udid(1), name: "Ana")
            }
            #expect(try await server.report().devices.count == 1)
        }
    }

    @Test(arguments: ["cut", "cutAfter"])
    func `a connection that is cut makes nothing twice`(kind: String) async throws {
        try await RunningAppleServer.run { server in
            try await server.order(#"{"foreignCertificates": 1}"#)
            try await server.account { account in
                let draft = try await draft(account)
                try await server.order(
                    #"{"traps": [{"kind": "\#(kind)", "method": "POST"}, {"kind": "\#(kind)", "#
                        + #""method": "DELETE"}]}"#
                )
                let issued = try await account.issue(draft)
                #expect(try await server.report().profiles.count == 1)
                try await account.delete(issued.profile.id)
            }
            let report = try await server.report()
            #expect(report.profiles.isEmpty && report.trapsLeft == 0)
        }
    }

    @Test func `reads that are stale after a lost answer make nothing twice`() async throws {
        try await RunningAppleServer.run { server in
            try await server.order(
                #"{"traps": [{"kind": "cutAfter", "method": "POST"}, "#
                    + #"{"kind": "stale", "path": "/v1/devices", "skip": 1, "count": 2}]}"#
            )
            try await server.account { account in
                _ = try await account.register(try TestAccount.udid(1), name: "Ana")
            }
            let report = try await server.report()
            #expect(report.devices.count == 1)
            #expect(report.requests.count { $0.method == "POST" } == 1)
        }
    }

    @Test func `an answer that takes too long is said to, and makes nothing twice`() async throws {
        try await RunningAppleServer.run { server in
            try await server.order(
                #"{"traps": [{"kind": "slow", "seconds": 2, "method": "POST"}]}"#
            )
            var limits = CallLimits()
            limits.seconds = 1
            try await server.account(limits: limits) { account in
                _ = try await account.register(try TestAccount.udid(1), name: "Ana")
            }
            #expect(try await server.report().devices.count == 1)
        }
    }

    @Test func `devices that are being processed are named, and taken the next time`()
        async throws
    {
        try await RunningAppleServer.run { server in
            try await server.order(#"{"foreignCertificates": 1}"#)
            try await server.account { account in
                _ = try await account.register(try TestAccount.udid(1), name: "Ana")
                try await server.order(#"{"newDeviceStatus": "PROCESSING"}"#)
                let first = try await account.issue(try await draft(account))
                #expect(first.devices == [try TestAccount.udid(1)])
                #expect(first.omitted.map(\.udid) == [try TestAccount.udid(2)])
                #expect(first.omitted.map(\.status) == [.processing])
                try await server.order(#"{"finishesProcessing": true}"#)
                let second = try await account.issue(try await draft(account, number: 2))
                #expect(second.omitted.isEmpty && second.devices.count == 2)
                try await account.delete(first.profile.id)
            }
            #expect(try await server.report().profiles.count == 1)
        }
    }

    @Test func `a device that was disabled by hand is told from one that is unknown`()
        async throws
    {
        try await RunningAppleServer.run { server in
            let udid = try TestAccount.udid(1)
            try await server.account { account in
                #expect(try await account.device(udid) == nil)
                _ = try await account.register(udid, name: "Ana")
                try await server.order(
                    #"{"devices": [{"udid": "\#(udid)", "status": "DISABLED"}]}"#
                )
                let found = try #require(try await account.device(udid))
                #expect(found.status == .disabled)
                #expect(try await account.setEnabled(true, found).status == .enabled)
                #expect(try await account.rename(found, to: "Ana's phone").name == "Ana's phone")
            }
        }
    }

    @Test func `a profile of devices that are disabled is refused`() async throws {
        try await RunningAppleServer.run { server in
            try await server.order(#"{"foreignCertificates": 1}"#)
            try await server.account { account in
                let draft = try await draft(account, devices: 1)
                let udid = try TestAccount.udid(1)
                try await server.order(
                    #"{"devices": [{"udid": "\#(udid)", "status": "DISABLED"}]}"#
                )
                #expect(await failure { _ = try await account.issue(draft) } == .noDevices)
            }
        }
    }

    @Test func `a television in a profile for iOS is refused`() async throws {
        try await RunningAppleServer.run { server in
            let udid = try TestAccount.udid(2)
            try await server.order(
                #"{"foreignCertificates": 1, "devices": [{"udid": "\#(udid)", "name": "TV", "#
                    + #""deviceClass": "APPLE_TV"}]}"#
            )
            try await server.account { account in
                let draft = try await draft(account)
                #expect(draft.devices.last?.family == .tv)
                #expect(await failure { _ = try await account.issue(draft) } == .wrongDeviceClass)
            }
        }
    }

    @Test func `a certificate that was revoked ends its profiles, and takes no new one`()
        async throws
    {
        try await RunningAppleServer.run { server in
            try await server.order(#"{"foreignCertificates": 1}"#)
            try await server.account { account in
                let issued = try await account.issue(try await draft(account))
                let later = try await draft(account, number: 2)
                let serial = try #require(try await account.certificates().first?.serialNumber)
                try await server.order(#"{"revokedCertificates": ["\#(serial)"]}"#)
                let state = try await account.profiles().first { $0.id == issued.profile.id }?.state
                #expect(state == .invalid)
                let found = await failure { _ = try await account.issue(later) }
                #expect(found == .notFound(what: "certificate"))
            }
        }
    }

    @Test func `a profile with a foreign name stays`() async throws {
        try await RunningAppleServer.run { server in
            try await server.order(
                #"{"bundleIDs": ["com.example.a"], "foreignCertificates": 1, "#
                    + #""foreignProfiles": [["Release Profile", "com.example.a"]]}"#
            )
            try await server.account { account in
                let found = try #require(try await account.profiles().first)
                #expect(
                    await failure { try await account.delete(found.id) }
                        == .notOurs(what: "profile", name: "Release Profile")
                )
            }
            #expect(try await server.report().profiles.count == 1)
        }
    }

    @Test func `a token that is refused in the middle is renewed`() async throws {
        try await RunningAppleServer.run { server in
            try await server.order(#"{"traps": [{"kind": "unauthorised", "skip": 1}]}"#)
            try await server.account { account in
                _ = try await account.register(try TestAccount.udid(1), name: "Ana")
            }
            #expect(try await server.report().requests.map(\.status) == [200, 401, 201])
        }
    }

    @Test func `half an answer and one that is too large are said to be that`() async throws {
        try await RunningAppleServer.run { server in
            try await server.order(#"{"traps": [{"kind": "garbage"}, {"kind": "huge"}]}"#)
            var limits = CallLimits()
            limits.bytes = 64 * 1024
            try await server.account(limits: limits) { account in
                let half = await failure { _ = try await account.devices() }
                #expect(half == .unreadable(reason: "no JSON"))
                let huge = await failure { _ = try await account.devices() }
                #expect(huge == .answerTooLarge(limit: 64 * 1024))
            }
        }
    }

    @Test func `a list that goes on elsewhere, or in a circle, is not followed`() async throws {
        try await RunningAppleServer.run { server in
            try await server.order(
                #"{"traps": [{"kind": "foreignLink"}, {"kind": "circularLink", "count": 3}]}"#
            )
            try await server.account { account in
                #expect(await failure { _ = try await account.devices() } == .foreignLink)
                let circle = await failure { _ = try await account.devices() }
                #expect(
                    circle == .unreadable(reason: "the next page of a list is one that came before")
                )
            }
        }
    }

    @Test func `a server that no authority vouches for gets no token`() async throws {
        try await RunningAppleServer.run { server in
            try await server.account(trusting: []) { account in
                let found = await failure { _ = try await account.devices() }
                guard case .untrusted = found else {
                    Issue.record("\(String(describing: found))")
                    return
                }
            }
            #expect(try await server.report().requests.isEmpty)
        }
    }

    @Test func `a server that is not there is said to be unreachable`() async throws {
        let account = DeveloperAccount(
            key: try TestAccount.key(),
            mark: try #require(TestAccount.mark),
            endpoint: try AppleEndpoint("https://localhost:\(try FreePort.any())"),
            transport: try CallClient(),
            timing: PausingClock(Date()).timing,
        )
        let found = await failure { _ = try await account.devices() }
        guard case .unreachable = found else {
            Issue.record("\(String(describing: found))")
            return
        }
    }
}
