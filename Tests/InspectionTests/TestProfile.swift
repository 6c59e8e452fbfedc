import Bundles
import Cryptography
import Foundation
import PropertyLists

/// A provisioning profile to change one thing in.
struct TestProfile {
    enum Signature { case trusted, stranger, none, damaged }

    var content: [String: PropertyList]
    var signature = Signature.trusted

    static let devices = [
        "00008110-000A000000000001", "00008110-000A000000000002",
        "00000000000000000000000000000000000000a3",
    ]

    /// An Ad Hoc profile of team TEAM123456 for 200 days.
    init(for identifier: String, name: String = "Test Ad Hoc") throws {
        let expires = TestAuthority.now.addingTimeInterval(.days(200))
        let certificate = try Self.distribution.get()
        content = [
            "AppIDName": .string("Test"),
            "ApplicationIdentifierPrefix": .array([.string("TEAM123456")]),
            "CreationDate": .date(TestAuthority.now.addingTimeInterval(-.days(165))),
            "DeveloperCertificates": .array([.data(certificate.der)]),
            "Entitlements": .dictionary([
                "application-identifier": .string("TEAM123456." + identifier),
                "com.apple.developer.team-identifier": .string("TEAM123456"),
                "get-task-allow": .boolean(false),
            ]),
            "ExpirationDate": .date(expires),
            "Name": .string(name),
            "Platform": .array([.string("iOS")]),
            "ProvisionedDevices": .array(Self.devices.map(PropertyList.string)),
            "TeamIdentifier": .array([.string("TEAM123456")]),
            "TeamName": .string("Example Team"),
            "TimeToLive": .integer(365),
            "UUID": .string("6F1C0DE0-0000-4000-8000-000000000001"),
            "Version": .integer(1),
        ]
    }

    private static let distribution = Result {
        try certificate(until: TestAuthority.now.addingTimeInterval(.days(200)))
    }

    static func certificate(
        _ name: String = "Apple Distribution: Example (TEAM123456)",
        until end: Date,
    ) throws -> Certificate {
        try TestAuthority.shared.get().developer(name, until: end)
    }

    mutating func entitle(_ key: String, _ value: PropertyList?) {
        var entitlements = content["Entitlements"]?.dictionary ?? [:]
        entitlements[key] = value
        content["Entitlements"] = .dictionary(entitlements)
    }

    func bytes() throws -> [UInt8] {
        let plist = PropertyList.dictionary(content).xml()
        switch signature {
        case .none: return plist
        case .trusted:
            return try CMSSigner(TestAuthority.shared.get().profileSigner).sign(plist)
        case .stranger:
            return try CMSSigner(TestAuthority.stranger.get().profileSigner).sign(plist)
        case .damaged:
            var signed = try CMSSigner(TestAuthority.shared.get().profileSigner).sign(plist)
            let word = Array("Example Team".utf8)
            if let range = signed.firstRange(of: word) { signed[range.lowerBound] ^= 1 }
            return signed
        }
    }
}
