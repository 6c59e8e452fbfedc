import Foundation
import Inspection
import PropertyLists
import Sample
import Testing

/// Defects that matter only in a build for testers, and how often each is reported.
@Suite struct LintRuleTests {
    @Test func `a release build that allows arbitrary loads is a finding, a debug build is not`()
        throws
    {
        func pare(_ configuration: SampleApps.Configuration, allows: Bool) throws -> [Finding] {
            try SampleApps.pare(
                configuration,
                allowsArbitraryLoads: allows,
                by: SigningAuthority.cached(),
                at: GoodBuild.signing,
            )
            .complaints()
        }
        #expect(try pare(.release, allows: true).map(\.id) == ["lint.arbitrary-loads"])
        #expect(try pare(.release, allows: false).isEmpty)
        #expect(try pare(.debug, allows: true).isEmpty)
    }

    @Test func `what belongs to development is no finding in a build for development`() throws {
        let build = try GoodBuild.app()
            .editingProfile { $0.kind = .development }
            .info("API_BASE_URL", .string("http://localhost:3000"))
            .info(
                "NSAppTransportSecurity",
                .dictionary(["NSAllowsArbitraryLoadsInWebContent": .boolean(true)]),
            )
            .nesting(.dynamicLibrary("Example.debug"), .framework("XCTest"))
        #expect(try build.complaints().isEmpty)
    }

    @Test func `many libraries of development are five findings that count the rest`() throws {
        let libraries = (1...8).map { BundleDraft.dynamicLibrary("libclang_rt.\($0)") }
        let build = try GoodBuild.app().editing { $0.app.nested += libraries }
        let complaints = try build.complaints()
        #expect(complaints.map(\.id) == Array(repeating: "lint.development-code", count: 5))
        #expect(complaints.last?.message.hasSuffix("a sanitizer library, and 3 more.") == true)
    }

    @Test func `a purpose string of the app serves its extensions`() throws {
        var share = BundleDraft.shareExtension("Share")
        share.link("Photos")
        let build = try GoodBuild.app().nesting(share)
            .info("NSPhotoLibraryAddUsageDescription", .string("Keep the picture."))
        #expect(try build.complaints().isEmpty)
    }

    @Test func `an app clip needs a purpose string of its own`() throws {
        var clip = BundleDraft.appClip("Clip", identifier: "com.example.app.Clip")
        clip.link("Speech")
        let build = try GoodBuild.app().nesting(clip)
            .info("NSSpeechRecognitionUsageDescription", .string("Take dictation."))
        let complaints = try build.complaints()
        #expect(complaints.map(\.id) == ["lint.purpose-missing"])
        #expect(complaints.first?.place == "Payload/Example.app/AppClips/Clip.app/Info.plist")
    }

    @Test func `an app that nobody opens needs no launch screen`() throws {
        let shell = try GoodBuild.app().info("UILaunchScreen", nil)
            .info("ITSWatchOnlyContainer", .boolean(true))
        #expect(try shell.complaints().isEmpty)
        let old = try GoodBuild.app().info("UILaunchScreen", nil)
            .info("UILaunchStoryboardName~ipad", .string("Launch"))
        #expect(try old.complaints().isEmpty)
    }

    @Test func `a browser may open the web's schemes`() throws {
        let build = SampleApps.browserSelector(
            by: try SigningAuthority.cached(),
            at: GoodBuild.signing,
        )
        #expect(try build.complaints().isEmpty)
        let plain = build.entitlement("com.apple.developer.web-browser", nil)
        #expect(try plain.complaints().map(\.id) == ["lint.scheme-reserved"])
    }

    @Test func `fifty schemes to ask about are not too many`() throws {
        let schemes = (1...50).map { PropertyList.string("scheme\($0)") }
        let build = try GoodBuild.app().info("LSApplicationQueriesSchemes", .array(schemes))
        #expect(try build.complaints().isEmpty)
    }

    @Test func `nothing of it blocks`() {
        let lint = Rule.all.filter { $0.id.hasPrefix("lint.") }
        #expect(!lint.isEmpty && lint.allSatisfy { $0.severity < .blocks })
    }
}
