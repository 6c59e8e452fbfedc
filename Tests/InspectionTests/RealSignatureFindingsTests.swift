import Bundles
import Foundation
import Identifiers
import Inspection
import Sample
import TestSupport
import Testing

/// Real signed apps: their signatures have no defect until something is changed.
@Suite(.enabled(if: Fixtures.arePresent, "the real fixtures are not on this machine"))
struct RealSignatureFindingsTests {
    /// Builds signed by Apple's authorities, each with the day of its inspection.
    static let intact = Fixtures.items(ofKind: "ipa").filter {
        $0.facts.contains("cms=ok") && !$0.isSignedByItsProject
    }

    @Test func `there are real signatures, old and new`() {
        #expect(Self.intact.count >= 5)
        #expect(Set(Self.intact.map(\.hasTodaysForm)) == [true, false])
    }

    @Test(arguments: intact)
    func `an intact signature blocks nothing, and one of today's form is not mentioned`(
        item: Fixtures.Item
    ) throws {
        let findings = try item.report().findings.filter(\.isAboutSignatures)
        #expect(findings.filter { $0.severity == .blocks }.map(\.id) == [])
        let expected = item.hasTodaysForm ? [] : Self.ofOldForms
        #expect(Set(findings.map(\.id)).isSubset(of: expected))
    }

    private static let ofOldForms: Set = [
        "signature.no-der-entitlements", "signature.old-form", "seal.old-form",
    ]

    @Test(arguments: intact.filter { !$0.hasTodaysForm && !$0.isForAppStore })
    func `a signature of an old form is what today's iOS refuses, and its own iOS does not`(
        item: Fixtures.Item
    ) throws {
        let report = try item.report()
        let udid = try #require(report.profile?.devices?.first)
        func reasons(_ os: Int) -> Set<String> {
            let device = DeviceFacts(udid: udid, family: .phone, os: OSVersion(major: os))
            return Set(report.verdict(for: device, at: item.noon).reasons.map(\.id))
        }
        #expect(reasons(10) == [])
        #expect(!reasons(26).isEmpty)
        #expect(reasons(26).isSubset(of: Self.ofOldForms.union(["profile.second-form-missing"])))
    }

    @Test(arguments: intact)
    func `after the last day the dates are all that is wrong`(item: Fixtures.Item) throws {
        let late = item.noon.addingDays(42)
        let reasons = try item.report().verdict(at: late).reasons.map(\.id)
        #expect(reasons.contains("profile.expired"))
        #expect(
            Set(reasons).isSubset(of: [
                "profile.expired", "certificate.expired", "profile.testflight",
            ])
        )
    }

    @Test(arguments: intact.filter(\.isForAppStore))
    func `a build for the App Store is said to be one, and nothing else`(
        item: Fixtures.Item
    ) throws {
        let reasons = try item.report().verdict(at: item.noon).reasons
        #expect(reasons.map(\.id) == ["profile.testflight"])
    }

    @Test(arguments: Fixtures.items(ofKind: "ipa").filter(\.isSignedByItsProject))
    func `a certificate that nobody vouches for is named`(item: Fixtures.Item) throws {
        let findings = try item.report().findings.filter { $0.severity == .blocks }
        #expect(findings.map(\.id) == ["profile.unverified", "signature.untrusted"])
        #expect(findings.allSatisfy { $0.message.contains("TestFixture") })
    }

    @Test(arguments: intact, RealChange.all)
    func `a change to a real build is found, named and found once`(
        item: Fixtures.Item,
        change: RealChange,
    ) throws {
        let report = try item.report(at: item.noon, changing: change.apply)
        AgreementTests.expectAgreement(in: report, "\(item.path), \(change)")
        let after = report.findings
        let before = try #require(try Self.before[item.path]?.get())
        let new = after.filter { $0.severity > .notes && !before.contains($0.id) }
        #expect(new.map(\.id) == [change.id])
    }

    /// The findings about a build without any change.
    private static let before = Dictionary(
        uniqueKeysWithValues: intact.map { item in
            (
                item.path,
                Result {
                    try item.report().findings.filter { $0.severity > .notes }.map(\.id)
                },
            )
        }
    )

    /// This IPA is packed one folder too deep, which is repaired here.
    @Test(
        arguments: Fixtures.items(ofKind: "ipa").filter {
            $0.facts.contains("/Payload/") && $0.facts.contains("EXEC-MISSING")
        }
    )
    func `a build without its executable lacks that, and no more is said of its code`(
        item: Fixtures.Item
    ) throws {
        let report = try item.report(at: GoodBuild.now) { tree in
            for index in tree.files.indices {
                let path = tree.files[index].path
                tree.files[index].path = String(path.drop { $0 != "/" }.dropFirst())
            }
            tree.files.removeAll { $0.path.isEmpty }
        }
        #expect(report.findings.contains { $0.id == "bundle.executable-missing" })
        #expect(report.findings.contains { $0.id == "profile.missing" })
        #expect(report.findings.filter(\.isAboutSignatures).map(\.id) == [])
    }
}

/// A change to the files of a build that another party signed, and the finding that it must cause.
struct RealChange: Sendable, CustomTestStringConvertible {
    let id: String
    let testDescription: String
    let apply: @Sendable (inout SampleTree) throws -> Void

    private init(
        _ id: String,
        _ description: String,
        _ apply: @escaping @Sendable (inout SampleTree) throws -> Void,
    ) {
        self.id = id
        self.apply = apply
        testDescription = description
    }

    static let all = [
        RealChange("seal.added", "a file more") { $0.add(.text("more.txt", "more")) },
        RealChange("seal.modified", "a file changed") { tree in
            try tree.edit(try tree.sealedFile()) { $0.append(0) }
        },
        RealChange("seal.missing", "a file less") { try $0.remove(try $0.sealedFile()) },
        RealChange("signature.seal-changed", "the seal changed") {
            try $0.edit("_CodeSignature/CodeResources") { $0.append(UInt8(ascii: "\n")) }
        },
        RealChange("signature.info-changed", "Info.plist changed") {
            try $0.replaceText("6.0", with: "6.1", in: "Info.plist")
        },
        RealChange("signature.pages-changed", "code changed") {
            // After the load commands of the only, or of the first, slice.
            try $0.flip($0.executable, at: 0x6000)
        },
        RealChange("profile.unverified", "the profile changed") {
            try $0.replaceText(
                "\n</dict>\n</plist>",
                with: " </dict>\n</plist>",
                in: "embedded.mobileprovision",
            )
        },
        RealChange("bundle.executable-missing", "the executable removed") {
            try $0.remove($0.executable)
        },
        RealChange("bundle.executable-mode", "the executable no longer executable") {
            try $0.setMode($0.executable, 0o644)
        },
        RealChange("profile.missing", "the profile removed") {
            try $0.remove("embedded.mobileprovision")
        },
    ]
}

extension SampleTree {
    /// A file that only seals cover, if possible only the app's.
    fileprivate func sealedFile() throws -> String {
        let own = ["Info.plist", "PkgInfo", "embedded.mobileprovision", executable]
        let paths = files.lazy.filter { $0.content.count > 0 && $0.path.hasPrefix(app + "/") }
            .map { String($0.path.dropFirst(app.count + 1)) }
        let sealed = paths.filter { path in
            !own.contains(path) && !path.contains("_CodeSignature/") && !path.hasSuffix(".png")
                && (path.contains("Base.lproj/") || !path.contains(".lproj/"))
        }
        return try #require(
            sealed.first { !$0.contains(".appex/") } ?? sealed.first { $0.hasSuffix(".nib") }
        )
    }

    fileprivate mutating func replaceText(_ old: String, with new: String, in path: String) throws {
        try edit(path) { $0.replace(Array(old.utf8), with: Array(new.utf8), maxReplacements: 1) }
    }
}

extension Finding {
    fileprivate var isAboutSignatures: Bool {
        ["signature.", "seal.", "code.", "entitlement."].contains(where: id.hasPrefix)
    }
}

extension Fixtures.Item {
    private var first: ManifestFacts.Bundle? { ManifestFacts.bundles(in: facts).first }

    fileprivate var isForAppStore: Bool { first?.profileType == "app-store" }

    /// Whether the signature has the form that iOS 15 and later require.
    fileprivate var hasTodaysForm: Bool { facts.contains(" DER]") }

    /// fastlane re-signs its fixtures with its own certificate.
    fileprivate var isSignedByItsProject: Bool {
        facts.contains("id=org.fastlane.very-capable-app")
    }
}
