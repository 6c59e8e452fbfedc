@testable import AppleDeveloper
import Cryptography
import Foundation
import Identifiers
import TestSupport
import Testing

/// Problems that need a person are distinguished, each with its own sentence.
@Suite(.timeLimit(.minutes(10)))
struct TrapSentenceTests {
    private func expect(
        _ expected: AppleFailure,
        sentence: String,
        after order: String,
        _ body: (DeveloperAccount) async throws -> Void,
    ) async throws {
        try await RunningAppleServer.run { server in
            try await server.order(order)
            try await server.account { account in
                let found = await failure { try await body(account) }
                #expect(found == expected)
                #expect(found?.description == sentence)
            }
        }
    }

    @Test func `an agreement that the Account Holder has not accepted is reported`() async throws {
        try await expect(
            .agreementMissing,
            sentence:
                "the Account Holder of the Apple Developer Program team must accept an agreement, or "
                + "renew the membership",
            after: #"{"traps": [{"kind": "agreement"}]}"#,
        ) { _ = try await $0.devices() }
    }

    @Test func `a key without the role is said to have none`() async throws {
        try await expect(
            .roleMissing,
            sentence: "the API key does not have the role that the request needs",
            after: #"{"mayChange": false}"#,
        ) { _ = try await $0.register(try TestAccount.udid(1), name: "Ana") }
    }

    @Test func `a full team is not taken for a missing role`() async throws {
        try await expect(
            .noSlotLeft,
            sentence: "the developer account has no slot left for this type of device",
            after: #"{"deviceLimit": 0}"#,
        ) { _ = try await $0.register(try TestAccount.udid(1), name: "Ana") }
    }

    @Test func `as many certificates as Apple allows are said to be that`() async throws {
        let key = try PrivateKey.generate(.rsa2048)
        try await expect(
            .tooManyCertificates,
            sentence:
                "the developer account already has as many distribution certificates as Apple allows",
            after: #"{"foreignCertificates": 3}"#,
        ) {
            _ = try await $0.createCertificate(
                for: key,
                subject: DistinguishedName(commonName: "ota"),
            )
        }
    }

    @Test func `an App ID of another team is said to be taken`() async throws {
        let bundle = try #require(BundleIdentifier("com.example.taken"))
        try await expect(
            .identifierTaken("com.example.taken"),
            sentence:
                "the bundle identifier “com.example.taken” is not available to this team",
            after: #"{"takenIdentifiers": ["com.example.taken"]}"#,
        ) { _ = try await $0.register(bundle, name: "A") }
    }

    @Test func `a revoked key is told from a wrong clock`() async throws {
        try await expect(
            .keyRefused,
            sentence:
                "App Store Connect rejected the API key: the key was revoked, or the key ID, the issuer "
                + "ID and the private key do not belong together",
            after: #"{"isKeyRevoked": true}"#,
        ) { _ = try await $0.devices() }
    }

    @Test(arguments: [-7200, 7200])
    func `a wrong clock is told from a revoked key`(offset: Int) async throws {
        try await RunningAppleServer.run { server in
            try await server.order(#"{"clockOffset": \#(offset)}"#)
            try await server.account { account in
                let found = await failure { _ = try await account.devices() }
                guard case .clockDiffers(let seconds) = found else {
                    Issue.record("\(String(describing: found))")
                    return
                }
                #expect(abs(seconds + offset) < 60)
                #expect(
                    found?.description.hasSuffix(
                        offset < 0 ? "ahead of Apple's" : "behind Apple's"
                    ) == true
                )
            }
        }
    }
}
