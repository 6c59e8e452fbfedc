@testable import AppleDeveloper
import Cryptography
import Foundation
import Identifiers
import TestSupport
import Testing

/// The final state is the same, whatever fails in between and however often everything is repeated.
@Suite(.timeLimit(.minutes(10)))
struct TrapSequenceTests {
    private static let kinds = [
        #""kind": "cut""#, #""kind": "cutAfter""#, #""kind": "stale""#, #""kind": "unauthorised""#,
        #""kind": "rateLimited""#, #""kind": "rateLimited", "retryAfter": 900"#,
        #""kind": "status", "status": 500"#, #""kind": "status", "status": 504, "count": 3"#,
        #""kind": "garbage""#, #""kind": "agreement""#, #""kind": "status", "status": 502"#,
    ]

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `chains of random faults leave nothing behind`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        var traps: [String] = []
        for _ in 0..<25 {
            let skip = Int.random(in: 0...3, using: &random)
            let kind = Self.kinds.randomElement(using: &random) ?? ""
            traps.append(#"{\#(kind), "skip": \#(skip)}"#)
        }
        let orders =
            #"{"foreignProfiles": [["By hand", "com.example.other"]], "#
            + #""traps": [\#(traps.joined(separator: ","))]}"#
        let key = try PrivateKey.generate(.rsa2048)
        try await RunningAppleServer.run(keepsContract: true) { server in
            try await server.order(orders)
            var policy = RetryPolicy()
            policy.attempts = 2
            try await server.account(policy: policy) { account in
                // Like a job that stops at any failure, and is repeated from its record.
                for _ in 0..<200 where await failure({ try await job(account, key) }) == nil {
                    break
                }
            }
            let report = try await server.report()
            let mark = try #require(TestAccount.mark)
            let own = report.profiles.compactMap(\.attributes.name)
                .filter { ProfileName.isName($0, by: mark) }
            #expect(own == [try TestAccount.profileName(2).text])
            #expect(report.profiles.contains { $0.attributes.name == "By hand" })
            #expect(Set(report.devices.compactMap(\.attributes.udid)).count == 3)
            #expect(report.devices.count == 3 && report.bundleIds.count == 1)
            #expect(report.certificates.count == 1)
        }
    }

    /// Two devices get a profile, a third joins and gets the next one; the names are in the job's record.
    private func job(_ account: DeveloperAccount, _ key: PrivateKey) async throws {
        let certificate = try await account.createCertificate(
            for: key,
            subject: DistinguishedName(commonName: "ota"),
        )
        let bundle = try #require(BundleIdentifier("com.example.browsey"))
        let appID = try await account.register(bundle, name: "Browsey")
        var devices: [AccountDevice] = []
        for (number, next) in [(2, 1), (3, 2)] as [(Int, UInt32)] {
            while devices.count < number {
                let udid = try TestAccount.udid(devices.count + 1)
                devices.append(try await account.register(udid, name: "Device"))
            }
            let issued = try await account.issue(
                ProfileDraft(
                    name: try TestAccount.profileName(next),
                    bundleID: appID.id,
                    certificate: certificate.id,
                    devices: devices,
                )
            )
            #expect(issued.devices.count == number)
        }
        let used = try TestAccount.profileName(2).text
        for profile in try await account.profiles()
        where profile.name != used && ProfileName.isName(profile.name, by: account.mark) {
            try await account.delete(profile.id)
        }
        // A stale read does not show what has to be deleted; the job reads again before it ends.
        let left = try await account.profiles().filter {
            ProfileName.isName($0.name, by: account.mark)
        }
        guard left.count == 1 else { throw AppleFailure.interrupted }
    }
}
