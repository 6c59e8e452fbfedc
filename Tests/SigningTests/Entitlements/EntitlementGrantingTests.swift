import Bytes
import PropertyLists
import Sample
import Signing
import Testing

/// An app is signed with the entitlements that it claims and its profile grants.
@Suite struct EntitlementGrantingTests {
    private static let path: RelativePath = "Payload/Demo.app"

    private static func signed(
        claiming claims: [String: PropertyList],
        granted: [String: PropertyList],
        _ kind: ProfileBuilder.Kind = .adHoc,
    ) throws -> SignedEntitlements {
        var request = try Resigned.request([
            try Resigned.profile("com.example.demo", kind, granting: granted)
        ])
        request.entitlements = .dictionary(claims)
        if kind == .development { request.identity = try Resigned.authority().development }
        let signed = try Resigned(try Resigned.app().bytes(), request)
        #expect(signed.blocking == [])
        return try #require(signed.plan.bundles.first?.entitlements)
    }

    private static func refusal(
        claiming claims: [String: PropertyList],
        granted: [String: PropertyList],
    ) throws -> SigningRefusal? {
        #expect(throws: SigningRefusal.self) { try signed(claiming: claims, granted: granted) }
    }

    private static func texts(_ texts: String...) -> PropertyList {
        .array(texts.map { .string($0) })
    }

    @Test func `what a profile grants and no code claims is left out`() throws {
        let signed = try Self.signed(
            claiming: [:],
            granted: ["com.apple.developer.siri": .boolean(true)],
        )
        #expect(
            signed.kept == [
                "application-identifier": .string("OTASAMPLE1.com.example.demo"),
                "com.apple.developer.team-identifier": .string("OTASAMPLE1"),
                "get-task-allow": .boolean(false),
            ]
        )
        #expect(signed.dropped == [])
    }

    @Test func `keychain groups are kept once, and too many are refused`() throws {
        let many = (0..<1000).map { PropertyList.string("OTASAMPLE1.group.\($0 % 500)") }
        let signed = try Self.signed(
            claiming: ["keychain-access-groups": .array(many)],
            granted: ["keychain-access-groups": Self.texts("OTASAMPLE1.*")],
        )
        #expect(signed.kept["keychain-access-groups"] == .array(Array(many.prefix(500))))
        let refusal = try Self.refusal(
            claiming: ["keychain-access-groups": .array(many + [.string("OTASAMPLE1.more")])],
            granted: ["keychain-access-groups": Self.texts("OTASAMPLE1.*")],
        )
        #expect(refusal?.id == "signing.too-many-claims")
    }

    @Test func `debugging is what the profile says, whatever was claimed`() throws {
        let distribution = try Self.signed(
            claiming: ["get-task-allow": .boolean(true)],
            granted: [:],
        )
        #expect(distribution.kept["get-task-allow"] == .boolean(false))
        let development = try Self.signed(claiming: [:], granted: [:], .development)
        #expect(development.kept["get-task-allow"] == .boolean(true))
    }

    @Test func `groups of another team become groups of this one, and a wildcard the app's own`()
        throws
    {
        let signed = try Self.signed(
            claiming: [
                "application-identifier": .string("OTHERTEAM9.com.example.demo"),
                "keychain-access-groups": Self.texts(
                    "OTHERTEAM9.*",
                    "OTHERTEAM9.com.example.shared",
                    "com.apple.token",
                    "OTASAMPLE1.com.example.demo",
                ),
            ],
            granted: [:],
        )
        #expect(
            signed.kept["keychain-access-groups"]
                == Self.texts(
                    "OTASAMPLE1.com.example.demo",
                    "OTASAMPLE1.com.example.shared",
                    "com.apple.token",
                )
        )
    }

    @Test func `the environments are those of the profile`() throws {
        let granted: [String: PropertyList] = [
            "aps-environment": .string("production"),
            "com.apple.developer.icloud-container-environment": Self.texts(
                "Development",
                "Production",
            ),
            "com.apple.developer.icloud-services": .string("*"),
        ]
        let signed = try Self.signed(
            claiming: [
                "aps-environment": .string("development"),
                "com.apple.developer.icloud-services": Self.texts("CloudKit"),
            ],
            granted: granted,
        )
        #expect(signed.kept["aps-environment"] == .string("production"))
        #expect(
            signed.kept["com.apple.developer.icloud-container-environment"]
                == .string("Production")
        )
        #expect(signed.kept["com.apple.developer.icloud-services"] == Self.texts("CloudKit"))
    }

    @Test func `domains are the app's own, not the profile's wildcard`() throws {
        let key = "com.apple.developer.associated-domains"
        let signed = try Self.signed(
            claiming: [key: Self.texts("applinks:example.com")],
            granted: [key: .string("*")],
        )
        #expect(signed.kept[key] == Self.texts("applinks:example.com"))
        let copied = try Self.signed(
            claiming: [key: .string("*")],
            granted: [key: .string("*")],
        )
        #expect(copied.kept[key] == nil)
        #expect(copied.dropped.map(\.reason) == [.copiedFromProfile])
    }

    @Test func `variables of a project's file are replaced`() throws {
        let signed = try Self.signed(
            claiming: [
                "keychain-access-groups": Self.texts(
                    "$(AppIdentifierPrefix)$(CFBundleIdentifier)"
                )
            ],
            granted: [:],
        )
        #expect(
            signed.kept["keychain-access-groups"] == Self.texts("OTASAMPLE1.com.example.demo")
        )
    }

    @Test func `what means nothing on a device is dropped and named`() throws {
        let signed = try Self.signed(
            claiming: [
                "com.apple.security.app-sandbox": .boolean(true),
                "com.apple.developer.siri": .boolean(false),
                "beta-reports-active": .boolean(true),
            ],
            granted: [:],
        )
        #expect(
            signed.dropped.map { [$0.key, $0.reason.rawValue] } == [
                ["beta-reports-active", "profile-decides"],
                ["com.apple.developer.siri", "claims-nothing"],
                ["com.apple.security.app-sandbox", "for-mac"],
            ]
        )
        #expect(signed.kept.count == 3)
    }

    @Test func `what is claimed and not granted stops the signing with the capability to add`()
        throws
    {
        let refusal = try Self.refusal(
            claiming: [
                "com.apple.developer.healthkit": .boolean(true),
                "com.apple.security.application-groups": Self.texts("group.a", "group.b"),
            ],
            granted: ["com.apple.security.application-groups": Self.texts("group.a")],
        )
        #expect(
            refusal?.fault
                == .notGranted(
                    profile: "Profile for com.example.demo",
                    [
                        .init(key: "com.apple.developer.healthkit", excess: "true", granted: nil),
                        .init(
                            key: "com.apple.security.application-groups",
                            excess: "group.b",
                            granted: "group.a",
                        ),
                    ],
                )
        )
        #expect(refusal?.fix.contains("HealthKit") == true)
    }

    @Test func `a managed entitlement is one to ask Apple for`() throws {
        let refusal = try Self.refusal(
            claiming: ["com.apple.developer.web-browser": .boolean(true)],
            granted: [:],
        )
        #expect(refusal?.id == "signing.entitlement-not-granted")
        #expect(refusal?.fix.contains("on request") == true)
    }

    @Test func `claims of a bundle inside are given by its identifier`() throws {
        let app = try Resigned.app().nesting(.widget("Widget"))
        let siri: [String: PropertyList] = ["com.apple.developer.siri": .boolean(true)]
        var request = try Resigned.request([
            try Resigned.profile("com.example.demo"),
            try Resigned.profile("com.example.demo.Widget", granting: siri),
        ])
        request.nestedEntitlements["com.example.demo.Widget"] = .dictionary(siri)
        let signed = try Resigned(try app.bytes(), request)
        let kept = try signed.entitlements(of: Self.path / "PlugIns/Widget.appex")
        #expect(kept["com.apple.developer.siri"] == .boolean(true))
        #expect(try signed.entitlements(of: Self.path)["com.apple.developer.siri"] == nil)
    }
}
