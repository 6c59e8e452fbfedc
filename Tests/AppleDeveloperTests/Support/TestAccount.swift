@testable import AppleDeveloper
import Cryptography
import Foundation
import Identifiers
import Testing

/// Values that many tests need.
enum TestAccount {
    static let mark = ProfileName.Mark("3f2a91c4d0e7")
    static let issuer = "57246542-96fe-1a63-e053-0824d011072a"

    static func key() throws -> TeamAPIKey {
        try TeamAPIKey(
            issuer: issuer,
            identifier: "2X9R4HXF34",
            pem: try PrivateKey.generate(.p256).pem,
        )
    }

    static func account(
        _ transport: ScriptedTransport,
        _ clock: PausingClock = PausingClock(),
        policy: RetryPolicy = RetryPolicy(),
    ) throws -> DeveloperAccount {
        DeveloperAccount(
            key: try key(),
            mark: try #require(mark),
            transport: transport,
            policy: policy,
            timing: clock.timing,
        )
    }

    static func udid(_ number: Int) throws -> DeviceUDID {
        let digits = String(number, radix: 16, uppercase: true)
        return try #require(
            DeviceUDID("00008150-" + String(repeating: "0", count: 16 - digits.count) + digits)
        )
    }

    static func profileName(_ number: UInt32 = 1) throws -> ProfileName {
        ProfileName(
            for: try #require(BundleIdentifier("com.example.browsey")),
            by: try #require(mark),
            at: Date(timeIntervalSince1970: 1_800_000_000),
            number: number,
        )
    }
}

/// Runs what should fail, and returns the failure; nil if it succeeds, or fails with another error.
func failure(_ body: () async throws -> Void) async -> AppleFailure? {
    do {
        try await body()
        return nil
    } catch {
        return error as? AppleFailure
    }
}
