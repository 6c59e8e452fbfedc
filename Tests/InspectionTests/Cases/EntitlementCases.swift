import Cryptography
import Foundation
import Inspection
import PropertyLists
import Sample
import Signing

extension RuleCase {
    private static let place = "/Example"
    private static let info = "/Info.plist"

    /// The entitlements of the code compared with those that its profile grants.
    static let entitlement: [RuleCase] = grants + identifiers + forms + libraries + defaults

    private static let grants = [
        RuleCase("entitlement.not-granted", at: place) {
            $0.entitlement("com.apple.developer.homekit", .boolean(true))
                .editingProfile { $0.withheld = ["com.apple.developer.homekit"] }
        },
        RuleCase("entitlement.not-granted", at: place) {
            $0.entitlement("aps-environment", .string("development"))
                .editingProfile { $0.entitlements["aps-environment"] = .string("production") }
        },
        RuleCase("entitlement.not-granted", at: place) {
            $0.entitlement(
                "com.apple.security.application-groups",
                .strings("group.a", "group.b"),
            )
            .editingProfile {
                $0.entitlements["com.apple.security.application-groups"] = .strings("group.a")
            }
        },
        RuleCase("entitlement.not-granted", at: place) {
            $0.entitlement("keychain-access-groups", .strings("OTHERTEAM9.com.example.app"))
        },
        RuleCase("entitlement.not-granted", at: place) {
            $0.entitlement("com.apple.developer.team-identifier", .string("OTHERTEAM9"))
        },
        RuleCase("entitlement.not-granted", at: place) {
            $0.entitlement("beta-reports-active", .boolean(true))
                .editingProfile { $0.withheld = ["beta-reports-active"] }
        },
        RuleCase("entitlement.not-granted", .warns, at: place) {
            $0.entitlement("com.apple.security.app-sandbox", .boolean(true))
                .editingProfile { $0.withheld = ["com.apple.security.app-sandbox"] }
        },
        RuleCase("entitlement.not-granted", at: "/PlugIns/Widget.appex/Widget") {
            $0.nesting(.widget("Widget")) {
                $0.entitlements["aps-environment"] = .string("production")
                $0.profile = GoodBuild.profile()
                $0.profile?.withheld = ["aps-environment"]
            }
        },
        RuleCase("entitlement.managed", at: place) {
            $0.entitlement("com.apple.developer.networking.multicast", .boolean(true))
                .editingProfile { $0.withheld = ["com.apple.developer.networking.multicast"] }
        },
        RuleCase("entitlement.managed", at: place) {
            $0.entitlement("com.apple.developer.carplay-audio", .boolean(true))
                .editingProfile { $0.withheld = ["com.apple.developer.carplay-audio"] }
        },
        RuleCase("entitlement.debuggable", at: place) {
            $0.entitlement("get-task-allow", .boolean(true))
        },
    ]

    private static let identifiers = [
        RuleCase("entitlement.identifier-missing", at: place) {
            $0.entitlement("application-identifier", nil)
        },
        RuleCase("entitlement.identifier-missing", at: place) {
            $0.editing { $0.app.architectures = [.arm64, .arm64e] }
                .signing { $0.otherEntitlements = .dictionary([:]) }
        },
        RuleCase("entitlement.identifier-missing", at: place) {
            $0.editing { $0.app.architectures = [.arm64, .arm64e] }
                .signing {
                    $0.otherEntitlements = .dictionary([
                        "com.apple.developer.team-identifier": .string("OTASAMPLE1"),
                        "get-task-allow": .boolean(false),
                    ])
                }
        },
        RuleCase("entitlement.identifier-mismatch", at: place) {
            $0.entitlement("application-identifier", .string("OTASAMPLE1.com.example.other"))
        },
        RuleCase("entitlement.identifier-mismatch", at: place) {
            $0.entitlement("application-identifier", .string("OTHERTEAM9.com.example.app"))
                .editingProfile { $0.pattern = "*" }
        },
        RuleCase("entitlement.identifier-differs", .warns, at: place) {
            $0.entitlement("application-identifier", .string("OTASAMPLE1.com.example.other"))
                .editingProfile { $0.pattern = "com.example.*" }
        },
        RuleCase("entitlement.identifier-differs", .warns, at: place) {
            $0.entitlement("application-identifier", .string("OTASAMPLE1.com.example.other"))
                .editingProfile { $0.pattern = "com.example.other" }
        },
        RuleCase("entitlement.identifier-differs", .warns, at: place) {
            $0.entitlement("application-identifier", .string("OTASAMPLE1.*"))
                .editingProfile { $0.pattern = "*" }
        },
    ]

    private static let forms = [
        RuleCase("entitlement.forms-differ", .warns, at: place) {
            let other = try EntitlementsDER.encoding(
                .dictionary([
                    "application-identifier": .string("OTASAMPLE1.com.example.app"),
                    "get-task-allow": .boolean(false),
                ])
            )
            return $0.signing { $0.derEntitlements = other }
        },
        RuleCase("entitlement.forms-differ", .warns, at: place) {
            $0.signing { $0.includesXMLEntitlements = false }
        },
        RuleCase("entitlement.der-irregular", .warns, at: place) {
            try $0.rewritingEntitlements {
                $0.replace([2, 1, 1], with: [2, 1, 2], maxReplacements: 1)
            }
        },
        RuleCase("entitlement.der-irregular", .warns, at: place) {
            try $0.rewritingEntitlements {
                $0.replace(Array("sample.one".utf8), with: Array("sample.???".utf8))
                $0.replace(Array("sample.two".utf8), with: Array("sample.one".utf8))
                $0.replace(Array("sample.???".utf8), with: Array("sample.two".utf8))
            }
        },
        RuleCase("entitlement.type-differs", .warns, at: place) {
            $0.entitlement("aps-environment", .strings("production"))
                .editingProfile { $0.entitlements["aps-environment"] = .string("production") }
        },
        RuleCase("entitlement.debuggable", at: place) {
            let other = try EntitlementsDER.encoding(
                .dictionary([
                    "application-identifier": .string("OTASAMPLE1.com.example.app"),
                    "get-task-allow": .boolean(true),
                ])
            )
            return $0.signing { $0.derEntitlements = other }
        },
        RuleCase("entitlement.malformed", at: place) {
            $0.signing { $0.derEntitlements = [0x70, 0x03, 0x02, 0x01] }
        },
        RuleCase("entitlement.malformed", .warns, at: place) {
            $0.minimumOS("14.0").signing { $0.derEntitlements = [0x70, 0x03, 0x02, 0x01] }
        },
        RuleCase("entitlement.malformed", .warns, at: place) {
            $0.signing { $0.xmlEntitlements = Array("<plist><dict><key>a</dict></plist>".utf8) }
        },
    ]

    private static let libraries = [
        RuleCase("entitlement.slices-differ", .warns, at: place) {
            $0.editing { $0.app.architectures = [.arm64, .arm64e] }
                .signing {
                    $0.otherEntitlements = .dictionary([
                        "application-identifier": .string("OTASAMPLE1.com.example.app"),
                        "get-task-allow": .boolean(false),
                    ])
                }
        },
        RuleCase("entitlement.on-library", at: "/Frameworks/Kit.framework/Kit") {
            $0.nesting(.framework("Kit")) { $0.entitlements["get-task-allow"] = .boolean(true) }
        },
        RuleCase("entitlement.on-library", at: "/Frameworks/Kit.framework/Kit") {
            $0.nesting(.framework("Kit")) {
                $0.entitlements["get-task-allow"] = .boolean(true)
                $0.signing.includesXMLEntitlements = false
            }
        },
        RuleCase("entitlement.on-library", at: "/Frameworks/libKit.dylib") {
            $0.nesting(.dynamicLibrary("libKit")) {
                $0.entitlements["aps-environment"] = .string("production")
            }
        },
        RuleCase("entitlement.on-library", .warns, at: "/libKit.dylib") {
            let library = try $0.nesting(.dynamicLibrary("libKit")) {
                $0.entitlements["get-task-allow"] = .boolean(true)
            }
            .tree().bytes(of: "Frameworks/libKit.dylib")
            return $0.resource(.file("libKit.dylib", library))
        },
    ]

    private static let defaults = [
        RuleCase("entitlement.schemes-missing", .warns, at: info) {
            $0.entitlement("com.apple.developer.web-browser", .boolean(true))
                .info(
                    "CFBundleURLTypes",
                    .array([.dictionary(["CFBundleURLSchemes": .strings("http")])]),
                )
        },
        RuleCase("entitlement.schemes-missing", .warns, at: info) {
            $0.entitlement("com.apple.developer.mail-client", .boolean(true))
        },
    ]
}

extension IPABuilder {
    /// Signs the app with modified DER entitlements, and two additional keys.
    fileprivate func rewritingEntitlements(_ change: (inout [UInt8]) -> Void) throws -> IPABuilder {
        let claims: [String: PropertyList] = [
            "application-identifier": .string("OTASAMPLE1.com.example.app"),
            "com.apple.developer.team-identifier": .string("OTASAMPLE1"),
            "sample.one": .boolean(true), "sample.two": .boolean(true),
            "get-task-allow": .boolean(false),
        ]
        var bytes = try EntitlementsDER.encoding(.dictionary(claims))
        change(&bytes)
        return entitlement("sample.one", .boolean(true)).entitlement("sample.two", .boolean(true))
            .signing { [bytes] in $0.derEntitlements = bytes }
    }
}

extension PropertyList {
    fileprivate static func strings(_ texts: String...) -> PropertyList {
        .array(texts.map { .string($0) })
    }
}
