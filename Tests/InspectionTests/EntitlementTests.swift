import Bundles
import Cryptography
import Foundation
import Inspection
import PropertyLists
import Sample
import TestSupport
import Testing

@Suite struct EntitlementTests {
    private func complaints(
        _ key: String,
        _ claim: PropertyList,
        granted: PropertyList?,
    ) throws -> [Finding] {
        try GoodBuild.app().entitlement(key, claim)
            .editingProfile {
                if let granted { $0.entitlements[key] = granted } else { $0.withheld = [key] }
            }
            .complaints()
    }

    @Test(
        arguments: [
            ("keychain-access-groups", .array([.string("OTASAMPLE1.x")]), nil),
            ("keychain-access-groups", .array([.string("com.apple.token")]), nil),
            ("aps-environment", .string("production"), .string("production")),
            (
                "com.apple.developer.icloud-container-environment", .string("Production"),
                .array([.string("Development"), .string("Production")]),
            ),
            (
                "com.apple.developer.icloud-services", .array([.string("CloudDocuments")]),
                .string("*"),
            ),
            (
                "com.apple.developer.ubiquity-kvstore-identifier",
                .string("OTASAMPLE1.com.example.app"), .string("OTASAMPLE1.*"),
            ),
            (
                "com.apple.developer.associated-domains",
                .array([.string("applinks:example.com")]), .array([.string("*")]),
            ),
            (
                "com.apple.developer.pass-type-identifiers",
                .array([.string("OTASAMPLE1.a"), .string("OTASAMPLE1.b")]),
                .array([.string("OTASAMPLE1.*")]),
            ),
        ] as [(String, PropertyList, PropertyList?)]
    )
    func `what the profile's patterns allow is granted`(
        key: String,
        claim: PropertyList,
        grant: PropertyList?,
    ) throws {
        let build = try GoodBuild.app().entitlement(key, claim)
        let granted = grant.map { grant in
            build.editingProfile { $0.entitlements[key] = grant }
        }
        #expect(try (granted ?? build).complaints().map(\.message) == [])
    }

    @Test(arguments: [.boolean(false), .array([]), .dictionary([:])] as [PropertyList])
    func `what claims nothing need not be granted`(_ claim: PropertyList) throws {
        #expect(try complaints("com.example.key", claim, granted: nil).isEmpty)
    }

    @Test func `what looks like a granted value and is other bytes is not granted`() throws {
        let key = "com.apple.security.application-groups"
        let found = try complaints(
            key,
            .array([.string("group.\u{212A}")]),
            granted: .array([.string("group.K")]),
        )
        #expect(found.count == 1)
    }

    @Test func `a refusal names the entitlement and both values`() throws {
        let key = "com.apple.security.application-groups"
        let found = try complaints(
            key,
            .array([.string("group.a"), .string("group.b")]),
            granted: .array([.string("group.a"), .string("group.c")]),
        )
        #expect(
            found.map(\.message) == [
                "The code claims com.apple.security.application-groups “group.b”, but the profile "
                    + "“iOS Team Ad Hoc Provisioning Profile: com.example.app” grants “group.a, "
                    + "group.c”."
            ]
        )
        #expect(found.map(\.appleCode) == ["0xe8008016"])
    }

    @Test func `many refusals are five findings, of which the last names the rest`() throws {
        var build = try GoodBuild.app()
        let keys = (1...8).map { "com.example.key\($0)" }
        for key in keys { build = build.entitlement(key, .boolean(true)) }
        let found = try build.editingProfile { $0.withheld = Set(keys) }.complaints()
        #expect(found.map(\.id) == Array(repeating: "entitlement.not-granted", count: 5))
        #expect(try #require(found.last).message.contains("com.example.key8"))
    }

    @Test func `endless lists are compared as far as real ones go`() throws {
        let claims = (0..<2000).map { PropertyList.string("claim\($0)") }
        let grants = (0..<10_000).map { PropertyList.string("grant\($0)*") }
        let found = try complaints("com.example.key", .array(claims), granted: .array(grants))
        #expect(found.map(\.id) == ["entitlement.not-granted"])
    }

    @Test func `debugging under a profile for distribution that grants it is doubtful`() throws {
        let found = try GoodBuild.app().entitlement("get-task-allow", .boolean(true))
            .editingProfile {
                $0.kind = .enterprise
                $0.entitlements["get-task-allow"] = .boolean(true)
            }
            .complaints()
        #expect(found.map(\.id) == ["entitlement.debuggable", "profile.enterprise"])
        #expect(found.map(\.severity) == [.warns, .notes])
    }

    @Test func `what one architecture alone claims is found`() throws {
        let found = try GoodBuild.app()
            .editing { $0.app.architectures = [.arm64, .arm64e] }
            .signing {
                $0.otherEntitlements = .dictionary([
                    "application-identifier": .string("OTASAMPLE1.com.example.app"),
                    "aps-environment": .string("production"),
                ])
            }
            .complaints()
        #expect(found.map(\.id) == ["entitlement.not-granted"])
    }

    @Test func `an extension without a profile is judged by the app's where that covers it`() throws
    {
        let found = try GoodBuild.app().editingProfile { $0.pattern = "com.example.*" }
            .nesting(.widget("Widget")) {
                $0.hasProfile = false
                $0.entitlements["aps-environment"] = .string("production")
            }
            .complaints()
        #expect(Set(found.map(\.id)) == ["profile.missing", "entitlement.not-granted"])
        #expect(found.first { $0.id == "profile.missing" }?.severity == .warns)
        #expect(found.first { $0.id == "entitlement.not-granted" }?.severity == .blocks)
    }

    @Test func `an extension whose profile was taken out is not as it was sealed`() throws {
        let found = try GoodBuild.app().editingProfile { $0.pattern = "com.example.*" }
            .nesting(.widget("Widget"))
            .afterSigning { try $0.remove("PlugIns/Widget.appex/embedded.mobileprovision") }
            .complaints()
        #expect(Set(found.map(\.id)) == ["profile.missing", "seal.missing"])
        #expect(found.first { $0.id == "seal.missing" }?.severity == .blocks)
    }

    @Test func `code without a signer is not judged by what it claims`() throws {
        for message in [SigningOptions.Message.absent, .empty] {
            let found = try GoodBuild.app().entitlement("aps-environment", .string("production"))
                .editingProfile { $0.withheld = ["aps-environment"] }
                .signing { $0.message = message }
                .complaints()
            #expect(!found.contains { $0.id.hasPrefix("entitlement.") })
        }
    }

    @Test func `a browser and a mail app with their schemes have no complaint`() throws {
        let schemes = ["http", "https", "mailto"].map { PropertyList.string($0) }
        let build = try GoodBuild.app()
            .entitlement("com.apple.developer.web-browser", .boolean(true))
            .entitlement("com.apple.developer.mail-client", .boolean(true))
            .info(
                "CFBundleURLTypes",
                .array([.dictionary(["CFBundleURLSchemes": .array(schemes)])]),
            )
        #expect(try build.complaints().map(\.message) == [])
    }

    @Test func `a profile with both forms has no complaint`() throws {
        let build = try GoodBuild.app().entitlement("aps-environment", .string("production"))
            .editingProfile { $0.includesDERForm = true }
        #expect(try build.complaints().map(\.message) == [])
        let other = build.editingProfile { $0.secondOverrides["ProfileKind"] = .string("LIMITED") }
        #expect(try other.complaints().map(\.message) == [])
    }

    @Test func `the entitlements that differ between the forms of a profile are named`() throws {
        let found = try GoodBuild.app()
            .editingProfile {
                $0.includesDERForm = true
                $0.secondOverrides["Entitlements"] = .dictionary([
                    "application-identifier": .string("OTASAMPLE1.com.example.app")
                ])
            }
            .complaints()
        #expect(found.map(\.id) == ["profile.second-form-differs"])
        #expect(try #require(found.first).message.contains("Entitlements.get-task-allow"))
    }

    @Test(.enabled(if: Fixtures.arePresent, "the real fixtures are not on this machine"))
    func `real builds claim what is granted, in both forms of their profiles`() throws {
        var forms: Set<String> = []
        for item in Fixtures.items(ofKind: "ipa") {
            guard let build = try? item.build() else { continue }
            let found = build.report.findings.filter {
                $0.id.hasPrefix("entitlement.") || $0.id.hasPrefix("profile.second")
                    || $0.id == "profile.identifier-mismatch"
            }
            #expect(found.allSatisfy { $0.id == "profile.second-form-missing" }, "\(found)")
            for bundle in build.application.everyBundle {
                guard let envelope = bundle.profile,
                    let profile = try? envelope.verified(against: .apple, at: item.noon)
                else { continue }
                let isMissing = found.contains {
                    $0.place == envelope.place || $0.message.contains("“\(envelope.place)”")
                }
                #expect(isMissing == (profile.secondForm == .absent))
                #expect(isMissing == (profile.created < Self.secondFormBegins))
                forms.insert("\(profile.secondForm)")
            }
        }
        #expect(forms == ["absent", "read(differences: [])"])
    }

    /// The year 2022; Apple has been writing the second form since some month of 2021.
    private static let secondFormBegins = Date(timeIntervalSince1970: 1_640_995_200)
}
