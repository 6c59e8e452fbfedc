import Cryptography
import Foundation
import PropertyLists
import Sample
import TestSupport
import Testing

@Suite struct ProfileBuilderTests {
    private static let subject = ProfileBuilder.Subject(
        bundleIdentifier: "com.example.demo",
        entitlements: [
            "aps-environment": .string("production"),
            "com.apple.developer.associated-domains": .array([.string("applinks:example.com")]),
        ],
    )

    private func profile(_ kind: ProfileBuilder.Kind) -> ProfileBuilder {
        ProfileBuilder(kind, devices: SampleDevices.list(3), created: Moment.signing)
    }

    private func opened(_ builder: ProfileBuilder) throws -> PropertyList {
        let authority = try SigningAuthority.cached()
        let message = try SignedMessage(reading: builder.bytes(for: Self.subject, by: authority))
        let verified = try message.verified(
            by: .provisioningProfile,
            anchors: TrustAnchors.apple.adding([authority.anchor]),
            at: Moment.signing,
        )
        #expect(verified.anchor != .apple)
        return try PropertyList(reading: verified.content, limits: .profile)
    }

    @Test(arguments: ProfileBuilder.Kind.allCases)
    func `every kind has the keys that Apple's have`(kind: ProfileBuilder.Kind) throws {
        let list = try opened(profile(kind))
        let always = [
            "AppIDName", "ApplicationIdentifierPrefix", "CreationDate", "DeveloperCertificates",
            "Entitlements", "ExpirationDate", "Name", "Platform", "TeamIdentifier", "TeamName",
            "TimeToLive", "UUID", "Version",
        ]
        for key in always { #expect(list[key] != nil, "\(key)") }
        let isForDevices = kind == .adHoc || kind == .development
        #expect(list["ProvisionedDevices"]?.strings?.count == (isForDevices ? 3 : nil))
        #expect(list["ProvisionsAllDevices"]?.boolean == (kind == .enterprise ? true : nil))
        #expect(list["Entitlements"]?["get-task-allow"]?.boolean == (kind == .development))
        let isBeta = list["Entitlements"]?["beta-reports-active"]?.boolean
        #expect(isBeta == (kind == .testFlight ? true : nil))
        #expect(list["TimeToLive"]?.integer == 365)
    }

    @Test func `what the app asks for is granted, and what is withheld is not`() throws {
        var builder = profile(.adHoc)
        let granted = try opened(builder)["Entitlements"]
        #expect(granted?["application-identifier"]?.string == "OTASAMPLE1.com.example.demo")
        #expect(granted?["aps-environment"]?.string == "production")
        #expect(granted?["com.apple.developer.associated-domains"]?.string == "*")
        builder.withheld = ["aps-environment"]
        builder.pattern = "*"
        let less = try opened(builder)["Entitlements"]
        #expect(less?["aps-environment"] == nil)
        #expect(less?["application-identifier"]?.string == "OTASAMPLE1.*")
    }

    @Test func `overrides set a key and leave one out`() throws {
        var builder = profile(.adHoc)
        builder.overrides = ["Platform": .array([.string("OSX")]), "TeamIdentifier": nil]
        let list = try opened(builder)
        #expect(list["Platform"]?.strings == ["OSX"])
        #expect(list["TeamIdentifier"] == nil)
    }

    @Test func `the second form verifies by its own policy and names the same facts`() throws {
        var builder = profile(.development)
        builder.includesDERForm = true
        let authority = try SigningAuthority.cached()
        let second = try #require(try opened(builder)["DER-Encoded-Profile"]?.data)
        let verified = try SignedMessage(reading: second).verified(
            by: .encodedProvisioningProfile,
            anchors: TrustAnchors.apple.adding([authority.anchor]),
            at: Moment.signing,
        )
        let certificate = authority.development.certificate.sha256.bytes
        for fact in [Array("OTASAMPLE1.com.example.demo".utf8), certificate] {
            #expect(verified.content.contains(fact))
        }
    }

    @Test(arguments: [DigestAlgorithm.sha1, .sha256])
    func `the digest is the one that was asked for`(digest: DigestAlgorithm) throws {
        var builder = profile(.adHoc)
        builder.digest = digest
        _ = try opened(builder)
    }

    @Test(.enabled(if: Tool.openssl != nil, "openssl is not installed"))
    func `openssl verifies a profile`() async throws {
        let authority = try SigningAuthority.cached()
        let bytes = try profile(.adHoc).bytes(for: Self.subject, by: authority)
        let openssl = try #require(Tool.openssl)
        try await withTemporaryFolder { folder in
            let result = try openssl.run(
                "cms",
                "-verify",
                "-binary",
                "-inform",
                "DER",
                "-in",
                try folder.writing(bytes, as: "profile"),
                "-CAfile",
                try folder.writing(Array(authority.anchorPEM.utf8), as: "anchor.pem"),
                "-purpose",
                "any",
                "-attime",
                "1767225600",
                "-out",
                folder.appending(path: "content").path(),
            )
            #expect(result.isContent, "\(result.output)")
        }
    }

    @Test func `an impostor's profile is refused`() throws {
        let authority = try SigningAuthority.cached()
        var builder = profile(.adHoc)
        builder.signer = try authority.impostorProfileSigner(at: Moment.signing)
        #expect(throws: SignatureRefusal.self) { try opened(builder) }
    }
}
