import Bundles
import Foundation
import Inspection
import Sample
import TestSupport
import Testing

/// `inspect` and `validate` are two views of one evidence: about one fact they never disagree.
///
/// Asked of each build that breaks a rule (RuleTests), of each flip of a byte (FlipVerdictTests), of
/// each real build, and of each change to one (RealSignatureFindingsTests).
@Suite struct AgreementTests {
    @Test func `both say the same of a good build`() throws {
        let report = try GoodBuild.app().nesting(.widget("W"), .framework("Kit")).report()
        Self.expectAgreement(in: report, "good")
        #expect(report.bundles.allSatisfy { $0.signature?.isIntact ?? true })
    }

    @Test(
        .enabled(if: Fixtures.arePresent, "the real fixtures are not on this machine"),
        arguments: Fixtures.items(ofKind: "ipa"),
    )
    func `both say the same of a real build`(_ item: Fixtures.Item) throws {
        guard let report = try? item.report() else { return }
        Self.expectAgreement(in: report, "\(item.path)")
    }

    /// One fact after another, each as the report keeps it and as the findings tell it.
    static func expectAgreement(
        in report: InspectionReport,
        _ comment: Comment,
    ) {
        let findings = report.findings
        let blocking = findings.filter { $0.severity == .blocks || $0.blocksFrom != nil }
        func blocks(_ ids: String...) -> Bool { blocking.contains { ids.contains($0.id) } }

        // Form, pages, slots, signer and seal.
        let broken = report.bundles.filter { $0.signature?.isIntact == false }
        let isComplained = blocking.contains { integrity.contains($0.id) }
        if isComplained { #expect(!broken.isEmpty, "\(comment): \(blocking.map(\.id))") }
        for bundle in broken {
            #expect(
                isComplained
                    || blocks(
                        "profile.missing",
                        "profile.malformed",
                        "profile.unverified",
                        "bundle.info-malformed",
                        "bundle.info-missing",
                        "bundle.executable-missing",
                    ),
                "\(comment): \(bundle.path) is not intact, \(findings.map(\.id))",
            )
        }
        // The executable.
        let missing = blocks("bundle.executable-missing")
        if report.signature == nil { #expect(missing, comment) }
        // The profile and who vouches for it.
        let isRead = report.profile != nil
        let isRefused = blocking.contains {
            ["profile.missing", "profile.malformed"].contains($0.id)
                && $0.place == report.identity.path + "/embedded.mobileprovision"
        }
        #expect(isRead != isRefused, comment)
        if report.profiles.contains(where: { !$0.profile.verified }) {
            #expect(blocks("profile.unverified"), comment)
        } else {
            #expect(!blocks("profile.unverified"), comment)
        }
        if let profile = report.profile, profile.type == .appStore {
            #expect(blocks("profile.app-store", "profile.testflight", "seal.modified"), comment)
        }
        // Dates.
        let end = report.installsUntil ?? .distantFuture
        #expect(
            blocks("profile.expired", "certificate.expired") == (end <= report.inspected),
            comment,
        )
        // Encryption, and the identifier.
        if blocks("code.encrypted") {
            let slices = report.bundles.flatMap { $0.signature?.slices ?? [] }
            #expect(slices.map(\.isEncrypted).contains(true), comment)
        }
        #expect(
            (report.identity.bundleIdentifier == nil)
                == blocking.contains {
                    ["info.identifier-missing", "info.identifier-invalid"].contains($0.id)
                        && $0.place == report.identity.path + "/Info.plist"
                },
            comment,
        )
        // Every device is blocked where a finding says so, and only there.
        let verdict = report.verdict(at: report.inspected)
        #expect(
            (verdict.verdict == .blocked) == findings.map(\.blocksEveryDevice).contains(true),
            comment,
        )
    }

    /// What says that a signature or a seal does not hold.
    private static let integrity: Set = [
        "code.malformed", "seal.absent", "seal.added", "seal.link", "seal.malformed",
        "seal.missing", "seal.modified", "signature.ad-hoc", "signature.chain-incomplete",
        "signature.hash-mismatch", "signature.info-changed", "signature.malformed",
        "signature.message-invalid", "signature.missing", "signature.page-size",
        "signature.pages-changed", "signature.part-changed", "signature.program-exchanged",
        "signature.seal-changed", "signature.signer-policy", "signature.unproven",
        "signature.untrusted",
    ]
}
