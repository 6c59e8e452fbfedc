import Bundles
import Cryptography
import Inspection
import Sample
import Testing

@Suite struct TrustTests {
    /// The finding about the app with another file as its profile, which was there when everything was
    /// signed.
    private func finding(embedding profile: [UInt8]) throws -> Finding {
        let complaints = try GoodBuild.app().withoutProfile()
            .resource(.file("embedded.mobileprovision", profile))
            .complaints()
        #expect(complaints.map(\.id) == ["profile.unverified"])
        return try #require(complaints.first)
    }

    private func profile(
        _ change: (inout ProfileBuilder) throws -> Void = { _ in }
    ) throws
        -> [UInt8]
    {
        var builder = GoodBuild.profile()
        try change(&builder)
        return try builder.bytes(
            for: ProfileBuilder.Subject(bundleIdentifier: "com.example.app"),
            by: SigningAuthority.cached(),
        )
    }

    @Test func `a profile that nobody signed is said to be unsigned`() throws {
        let finding = try finding(embedding: GoodBuild.unsignedProfile())
        #expect(finding.message.contains("not signed"))
        #expect(finding.appleCode == "0xe8008004")
    }

    @Test func `a profile under an unknown authority is said to be untrusted`() throws {
        let stranger = try Self.stranger.get().profileSigner
        let finding = try finding(embedding: profile { $0.signer = stranger })
        #expect(finding.message.contains("ota Sample Root CA"))
    }

    @Test func `a profile whose signer only bears the right name is refused`() throws {
        let finding = try finding(
            embedding: profile {
                $0.signer = try SigningAuthority.cached().impostorProfileSigner(
                    at: GoodBuild.signing
                )
            }
        )
        #expect(finding.message.contains("Worldwide Developer Relations"))
    }

    @Test func `a profile that was altered is said to be altered`() throws {
        var signed = try profile()
        let name = try #require(signed.firstRange(of: Array("ota Sample Team".utf8)))
        signed[name.lowerBound] ^= 1
        #expect(try finding(embedding: signed).message.contains("changed after it was signed"))
    }

    @Test func `claims of an unproven profile are still told`() throws {
        let stranger = try Self.stranger.get().profileSigner
        let report = try GoodBuild.app()
            .editingProfile {
                $0.signer = stranger
                $0.name = "Test Ad Hoc"
            }
            .report()
        let profile = try #require(report.profile)
        #expect(profile.name == "Test Ad Hoc")
        #expect(!profile.verified)
        #expect(report.verdict(at: GoodBuild.now).verdict == .blocked)
    }

    @Test func `a private authority is named and warned of`() throws {
        let report = try GoodBuild.report.get()
        let finding = try #require(report.findings.first { $0.id == "profile.private-authority" })
        #expect(finding.severity == .warns)
        #expect(finding.message.contains("ota Sample Root CA"))
        #expect(report.profile?.verified == true)
    }

    @Test func `without the extra anchor the same build is refused`() throws {
        let report = try GoodBuild.app().inspected(trusting: .apple).report
        #expect(report.findings.first?.id == "profile.unverified")
        #expect(report.signature?.signers == [])
        #expect(report.signature?.isIntact == false)
    }

    /// Another authority with the same names, which is not trusted.
    private static let stranger = Result {
        try SigningAuthority(validFrom: GoodBuild.signing)
    }
}
