import Bundles
import Bytes
import Cryptography
import Inspection
import Testing
import Zip

@Suite struct TrustTests {
    private func finding(_ signature: TestProfile.Signature) throws -> Finding {
        let complaints = try TestBuild { $0.profile?.signature = signature }.report().findings
            .filter { $0.id.hasPrefix("profile.un") }
        try #require(complaints.count == 1)
        return complaints[0]
    }

    @Test func `a profile that nobody signed is said to be unsigned`() throws {
        let finding = try finding(.none)
        #expect(finding.id == "profile.unverified")
        #expect(finding.message.contains("not signed"))
        #expect(finding.appleCode == "0xe8008004")
    }

    @Test func `a profile under an unknown authority is said to be untrusted`() throws {
        #expect(try finding(.stranger).message.contains("Stranger Root"))
    }

    @Test func `a profile that was altered is said to be altered`() throws {
        #expect(try finding(.damaged).message.contains("changed after it was signed"))
    }

    @Test func `claims of an unproven profile are still told`() throws {
        let report = try TestBuild { $0.profile?.signature = .stranger }.report()
        let profile = try #require(report.profile)
        #expect(profile.name == "Test Ad Hoc")
        #expect(!profile.verified)
        #expect(report.verdict(at: TestAuthority.now).verdict == .blocked)
    }

    @Test func `a private authority is named and warned of`() throws {
        let report = try TestBuild().report()
        let finding = try #require(report.findings.first { $0.id == "profile.private-authority" })
        #expect(finding.severity == .warns)
        #expect(finding.message.contains("Test Root"))
        #expect(report.profile?.verified == true)
    }

    @Test func `without the extra anchor the same build is refused`() throws {
        let bytes = try TestBuild().bytes()
        let report = try Inspector(anchors: .apple).inspect(
            ZipArchive(reading: MemorySource(bytes)),
            sha256: SHA256Digest(of: bytes),
            at: TestAuthority.now,
        ).report
        #expect(report.findings.first?.id == "profile.unverified")
    }
}
