@testable import AppleDeveloper
import Cryptography
import Foundation
import Identifiers
import Testing

/// What a team has and lacks, in sentences.
struct TeamCheckTests {
    private let date = Date(timeIntervalSince1970: 1_800_000_000)

    private func certificate(for key: PrivateKey, days: Double) throws -> AccountCertificate {
        let end = date.addingTimeInterval(days * 86_400)
        return try AccountCertificate(
            id: try #require(ResourceID("C1")),
            name: "Apple Distribution: Example",
            type: "DISTRIBUTION",
            serialNumber: nil,
            expires: end,
            certificate: CertificateTemplate(
                subject: DistinguishedName(commonName: "a"),
                serial: [1],
                notBefore: date.addingTimeInterval(-86_400),
                notAfter: end,
            ).issued(for: key),
        )
    }

    private func account(
        certificates: [AccountCertificate] = [],
        phones: Int = 3,
        capabilities: [String] = [],
    ) throws -> TeamCheck.Account {
        let id = try #require(ResourceID("B1"))
        return TeamCheck.Account(
            devices: try (0..<phones).map { number in
                AccountDevice(
                    id: try #require(ResourceID("D\(number)")),
                    udid: try TestAccount.udid(number),
                    name: "Device",
                    status: number.isMultiple(of: 2) ? .enabled : .disabled,
                    deviceClass: .family(.iphone),
                    model: nil,
                    added: nil,
                )
            },
            certificates: certificates,
            bundleIDs: [
                AccountBundleID(
                    id: id,
                    name: "Browsey",
                    identifier: "com.example.browsey",
                    prefix: nil,
                )
            ],
            capabilities: [
                id: try capabilities.map {
                    AccountCapability(id: try #require(ResourceID("K")), type: $0)
                }
            ],
        )
    }

    private func check(
        _ account: TeamCheck.Account,
        _ key: PrivateKey?,
        entitlements: [String] = [],
        bundle: String = "com.example.browsey",
    ) throws -> TeamCheck {
        TeamCheck(
            account,
            for: [
                TeamCheck.Claim(
                    bundle: try #require(BundleIdentifier(bundle)),
                    entitlements: entitlements,
                )
            ],
            signingWith: key,
            at: date,
            renewingBefore: 30,
        )
    }

    @Test func `a team that has everything is good`() throws {
        let key = try PrivateKey.generate(.p256)
        let check = try check(
            try account(
                certificates: [try certificate(for: key, days: 200)],
                capabilities: ["PUSH_NOTIFICATIONS"],
            ),
            key,
            entitlements: ["aps-environment", "get-task-allow"],
        )
        #expect(check.isGood)
        #expect(
            check.lines.map(\.text) == [
                "the certificate “Apple Distribution: Example” is valid until 3 August 2027",
                "97 iPhone slots left of 100", "100 iPad slots left of 100",
                "the App ID of com.example.browsey has every capability that the app claims",
            ]
        )
    }

    @Test func `what is missing is said with how to get it`() throws {
        let key = try PrivateKey.generate(.p256)
        let other = try PrivateKey.generate(.p256)
        let check = try check(
            try account(certificates: [try certificate(for: other, days: 200)], phones: 100),
            key,
            entitlements: ["aps-environment", "com.apple.security.application-groups"],
        )
        let missing = check.lines.filter { $0.verdict == .missing }
        #expect(
            missing.map(\.text) == [
                "the account has 1 distribution certificate, but none for the key of this server",
                "no iPhone slot is left",
                "com.example.browsey: the app claims “com.apple.security.application-groups”, but its "
                    + "App ID does not have the capability APP_GROUPS",
                "com.example.browsey: the app claims “aps-environment”, but its App ID does not have "
                    + "the capability PUSH_NOTIFICATIONS",
            ]
        )
        #expect(missing.allSatisfy { !$0.fix.isEmpty })
        #expect(missing[2].fix.contains("developer.apple.com"))
    }

    @Test func `what ends soon is a warning, and no key at all is missing`() throws {
        let key = try PrivateKey.generate(.p256)
        let soon = try check(
            try account(certificates: [try certificate(for: key, days: 20)], phones: 95),
            key,
        )
        #expect(soon.lines.map(\.verdict) == [.warning, .warning, .good, .good])
        let without = try check(try account(), nil, bundle: "com.example.unknown")
        #expect(without.lines.map(\.verdict) == [.missing, .good, .good, .missing])
        #expect(without.lines.last?.text == "the team has no App ID for com.example.unknown")
    }

    @Test func `claims of one capability are one thing that is missing`() {
        let comparison = CapabilityComparison(
            claims: [
                "com.apple.developer.icloud-services", "get-task-allow", "keychain-access-groups",
                "com.apple.developer.icloud-container-identifiers",
            ],
            capabilities: [],
        )
        #expect(comparison.missing.map(\.capability) == ["ICLOUD"])
        #expect(comparison.missing[0].claims.count == 2 && !comparison.missing[0].isSwitch)
    }

    @Test func `what Apple has not finished with is looked at ever more rarely, for 72 hours`() {
        var now = date
        var pauses: [TimeInterval] = []
        while let next = ProcessingWait.next(after: pauses.count, since: date, at: now) {
            pauses.append(next.timeIntervalSince(now))
            now = next
        }
        #expect(pauses.prefix(5) == [60, 300, 1800, 3600, 3600])
        #expect(now.timeIntervalSince(date) == ProcessingWait.longest)
        #expect(pauses.count < 80)
    }
}
