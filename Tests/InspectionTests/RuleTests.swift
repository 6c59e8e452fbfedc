import Bundles
import Foundation
import Inspection
import Sample
import Testing

/// Each rule: an otherwise good build has exactly that finding.
@Suite struct RuleTests {
    @Test func `a good build has nothing but notes of its kind`() throws {
        let report = try GoodBuild.app().report()
        #expect(Set(report.findings.map(\.id)) == GoodBuild.usual)
        #expect(report.verdict(at: GoodBuild.now).verdict == .unknown)
    }

    @Test func `a good build with everything nested in it has no complaint`() throws {
        var watch = BundleDraft.watchApplication(
            "Watch",
            identifier: "com.example.app.watch",
            companion: "com.example.app",
        )
        watch.nested = [.widget("Tile")]
        let build = try GoodBuild.app().nesting(
            .widget("Widget"),
            .shareExtension("Share"),
            .framework("Kit"),
            .dynamicLibrary("libswiftCore"),
            watch,
            .appClip("Clip", identifier: "com.example.app.Clip"),
        )
        // Only executables that are started must be marked executable.
        .afterSigning { try $0.setMode("Frameworks/Kit.framework/Kit", 0o644) }
        #expect(try build.complaints().map { "\($0.id) \($0.place): \($0.message)" } == [])
        let kinds = try build.report().nested.map(\.kind)
        #expect(
            kinds == [
                .appClip, .framework, .dynamicLibrary, .appExtension, .appExtension,
                .watchApplication, .appExtension,
            ]
        )
    }

    @Test(arguments: [
        (ProfileBuilder.Kind.development, ["later ask for Developer Mode"]),
        (.adHoc, ["later may ask for Developer Mode"]), (.enterprise, []),
    ])
    func `who must turn Developer Mode on is told`(
        kind: ProfileBuilder.Kind,
        words: [String],
    ) throws {
        let findings = try GoodBuild.app().editingProfile { $0.kind = kind }.report().findings
            .filter { $0.id == "profile.developer-mode" }
        #expect(findings.count == words.count)
        #expect(zip(findings, words).allSatisfy { $0.message.contains($1) })
        #expect(findings.allSatisfy { $0.severity == .notes })
    }

    @Test func `a watch app of the older shape has no complaint`() throws {
        let build = try GoodBuild.app().nesting(
            .watchStub("Watch", identifier: "com.example.app.watch", companion: "com.example.app")
        )
        #expect(try build.complaints().map { "\($0.id) \($0.place): \($0.message)" } == [])
    }

    @Test(arguments: sampleApps)
    func `a sample app has no complaint`(_ name: String, _ app: SampleApp) throws {
        let build = app(try SigningAuthority.cached(), GoodBuild.signing)
        #expect(try build.complaints().map { "\($0.id) \($0.place): \($0.message)" } == [])
    }

    typealias SampleApp = @Sendable (SigningAuthority, Date) -> IPABuilder

    private static let sampleApps: [(String, SampleApp)] = [
        ("Sample", { SampleApps.sample(by: $0, at: $1) }),
        ("Browsey", { SampleApps.browsey(by: $0, at: $1) }),
        ("Pare", { SampleApps.pare(.release, by: $0, at: $1) }),
        ("Pare for development", { SampleApps.pare(.debug, by: $0, at: $1) }),
        ("Browser Selector", { SampleApps.browserSelector(by: $0, at: $1) }),
        ("SimBridge for iPhone", { SampleApps.simBridgeClient(by: $0, at: $1) }),
        ("SimBridge for iPad", { SampleApps.simBridgeHost(by: $0, at: $1) }),
        ("Forks", { SampleApps.forks(by: $0, at: $1) }),
    ]

    @Test(arguments: RuleCase.all)
    func `is found alone, where it is, and is registered`(_ spoilt: RuleCase) throws {
        let report = try spoilt.spoil(GoodBuild.app()).report()
        AgreementTests.expectAgreement(in: report, "\(spoilt)")
        let complaints = report.findings.filter { !GoodBuild.usual.contains($0.id) }
        #expect(complaints.map(\.id) == [spoilt.id], "\(complaints.map(\.message))")
        let finding = try #require(complaints.first)
        #expect(finding.severity == spoilt.severity)
        #expect(finding.place == spoilt.place)
        #expect(finding.message.hasSuffix("."))
        #expect(!finding.fix.isEmpty)
        let rule = try #require(Rule.named(finding.id))
        #expect(rule.appleCode == finding.appleCode)
    }

    @Test func `only the frameworks that installd validates need an Info.plist`() throws {
        let build = try GoodBuild.app().nesting(.framework("Kit")) {
            var deep = BundleDraft.framework("Deep")
            deep.infoForm = .verbatim(nil)
            $0.nested = [deep]
        }
        let findings = try build.complaints().filter { $0.id == "bundle.info-missing" }
        #expect(findings.map(\.severity) == [.warns])
    }

    @Test func `unsigned code in a framework without an Info.plist is not passed over`() throws {
        let build = try GoodBuild.app().nesting(.framework("Kit")) {
            $0.infoForm = .verbatim(nil)
            $0.signing.isSigned = false
        }
        let found = Set(try build.complaints().map(\.id))
        #expect(found.isSuperset(of: ["bundle.info-missing", "signature.loose-code"]))
    }

    @Test func `every rule has a build that breaks it`() {
        let broken = Set(RuleCase.all.map(\.id)).union(GoodBuild.usual)
        for rule in Rule.all where !broken.contains(rule.id) {
            guard Self.elsewhere.keys.contains(where: rule.id.hasPrefix) else {
                Issue.record("no build of RuleCase breaks \(rule.id)")
                continue
            }
        }
    }

    /// The rules that no case can break, by the beginning of their identifiers, and where they are tested.
    private static let elsewhere = Dictionary(
        uniqueKeysWithValues: BundleRule.allCases.map {
            ($0.rawValue, "an app that cannot be read has no report: BundlesTests")
        }
    ).merging([
        "zip.": "an archive that cannot be read has no report: ZipTests",
        "profile.second-form-missing": "only Apple's own profiles are asked: EntitlementTests",
        "device.": "a build alone has no device: VerdictTests, DeviceRuleTests",
        "archive.": "an archive says it outside the app's folder: ArchiveRuleTests",
        "history.": "a build alone has no history: HistoryTests",
    ]) { $1 }
}
