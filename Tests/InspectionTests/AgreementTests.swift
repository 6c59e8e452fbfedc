import Bundles
import Foundation
import Inspection
import Sample
import TestSupport
import Testing

/// `inspect` and `validate` are two views of the same evidence, and never contradict each other.
///
/// Checked for each build that breaks a rule (RuleTests), each flipped byte (FlipVerdictTests), each real
/// build, and each change to one (RealSignatureFindingsTests).
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

    /// Compares fact after fact between the report and the findings.
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
        // The profile and its authority.
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
        // A device is blocked if and only if a finding says so.
        let verdict = report.verdict(at: report.inspected)
        #expect(
            (verdict.verdict == .blocked) == findings.map(\.blocksEveryDevice).contains(true),
            comment,
        )
    }

    /// The findings about an invalid signature or seal.
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
