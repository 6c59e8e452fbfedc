import Cryptography
import Foundation
import Inspection
import Sample
import Testing

/// When a build expires, and which dates decide it.
@Suite struct ExpiryTests {
    private let now = GoodBuild.now

    @Test func `the earliest end counts, of nested profiles and of certificates too`() throws {
        let soon = now.addingDays(50)
        let widget = try GoodBuild.app().nesting(.widget("Widget")) {
            $0.profile = GoodBuild.profile()
            $0.profile?.expires = soon
        }
        #expect(try widget.report().installsUntil == soon)
        let nested = try GoodBuild.app().nesting(.widget("Widget")) { try $0.sign(until: soon) }
            .report()
        #expect(nested.installsUntil == soon)
        #expect(nested.expiries.first?.place == "Payload/Example.app/PlugIns/Widget.appex/Widget")
    }

    @Test func `the certificate that signed decides, whatever else the profile allows`() throws {
        let soon = now.addingDays(50)
        let others = try [-1, 20, 3000].map { days in
            try SigningAuthority.cached().identity(
                .distribution,
                from: now.addingDays(-600),
                until: now.addingDays(days),
            ).certificate
        }
        let report = try GoodBuild.app().signed(until: soon, allowing: others).report()
        #expect(report.profile?.certificates.count == 4)
        #expect(report.installsUntil == soon)
        #expect(report.expiries.first?.place == "Payload/Example.app/Example")
        #expect(Set(report.findings.map(\.id)) == GoodBuild.usual)
        #expect(
            report.findings(at: soon.addingTimeInterval(1)).map(\.id).contains(
                "certificate.expired"
            )
        )
    }

    @Test func `an authority that ends before the signer's certificate is named`() throws {
        let authority = try SigningAuthority(
            validFrom: now.addingYears(-20).addingDays(10),
            leafExpires: now.addingDays(300),
        )
        var build = try GoodBuild.app()
        build.authority = authority
        let report = try build.inspected(trusting: TrustAnchors.apple.adding([authority.anchor]))
            .report
        let findings = report.findings.filter { !GoodBuild.usual.contains($0.id) }
        #expect(findings.map(\.id) == ["certificate.expires-soon"])
        #expect(findings.first?.message.contains("Worldwide Developer Relations") == true)
        #expect(report.installsUntil == now.addingDays(10))
    }

    @Test func `a certificate is told once, and the authorities above it not at all`() throws {
        let authority = try SigningAuthority(
            validFrom: now.addingYears(-20).addingDays(-10),
            leafExpires: now.addingDays(-20),
        )
        var build = try GoodBuild.app().nesting(.widget("Widget"), .shareExtension("Share"))
        build.authority = authority
        let findings = try build.inspected(trusting: TrustAnchors.apple.adding([authority.anchor]))
            .report.findings.filter { $0.id.hasPrefix("certificate.") }
        #expect(findings.map(\.id) == ["certificate.expired"])
        #expect(findings.map(\.place) == ["Payload/Example.app/Example"])
    }

    /// Without a proven signer, and in reports from before signatures were read.
    @Test func `without a signer the last certificate of the profile decides`() throws {
        func findings(_ days: Double...) throws -> [Finding] {
            let report = try self.report(allowing: days)
            return report.findings(at: now).filter { !GoodBuild.usual.contains($0.id) }
        }
        #expect(try findings(200) == [])
        #expect(try findings(3, 200) == [])
        #expect(try findings(3).map(\.id) == ["certificate.expires-soon"])
        #expect(try findings(-1, 200).map(\.severity) == [.notes])
        let expired = try findings(-1, -2)
        #expect(expired.map(\.id) == ["certificate.expired"])
        #expect(expired.map(\.severity) == [.blocks])
        #expect(expired.map(\.place) == ["Payload/Example.app/embedded.mobileprovision"])
        let mixed = try report(allowing: [50, 20])
        #expect(mixed.expiries.map(\.date) == [now.addingDays(50), now.addingDays(200)])
        #expect(mixed.expiries.first?.cause == .certificate(name: "Signer 50.0"))
    }

    private func report(allowing days: [Double]) throws -> InspectionReport {
        let good = try GoodBuild.report.get()
        let profile = try #require(good.profile)
        return InspectionReport(
            identity: good.identity,
            profile: ProfileSummary(
                uuid: profile.uuid,
                name: profile.name,
                type: profile.type,
                team: profile.team,
                teamName: profile.teamName,
                applicationIdentifier: profile.applicationIdentifier,
                created: profile.created,
                expires: profile.expires,
                devices: profile.devices,
                trust: profile.trust,
                certificates: days.map {
                    CertificateSummary(
                        name: "Signer \($0)",
                        serial: "\($0)",
                        begins: now.addingDays(-300),
                        expires: now.addingDays($0),
                    )
                },
            ),
            nested: [],
            findings: good.findings,
            inspected: now,
            installsUntil: nil,
        )
    }
}
