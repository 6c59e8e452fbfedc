import Inspection
import PropertyLists
import Sample

extension RuleCase {
    static let lint: [RuleCase] = transportSecurity + development + purposes + addresses

    private static let transportSecurity = [
        RuleCase("lint.arbitrary-loads", .warns, at: "/Info.plist") {
            $0.transportSecurity(["NSAllowsArbitraryLoads": .boolean(true)])
        },
        RuleCase("lint.arbitrary-loads", .warns, at: "/Info.plist") {
            $0.transportSecurity([
                "NSAllowsArbitraryLoads": .boolean(true),
                "NSAllowsLocalNetworking": .boolean(true),
            ])
        },
        RuleCase("lint.insecure-loads", .notes, at: "/Info.plist") {
            $0.transportSecurity(["NSAllowsArbitraryLoadsInWebContent": .boolean(true)])
        },
        RuleCase("lint.insecure-loads", .notes, at: "/Info.plist") {
            $0.transportSecurity(["NSAllowsArbitraryLoadsForMedia": .boolean(true)])
        },
        RuleCase("lint.insecure-loads", .notes, at: "/Info.plist") {
            $0.transportSecurity([
                "NSExceptionDomains": .dictionary([
                    "plain.example.com": .dictionary([
                        "NSExceptionAllowsInsecureHTTPLoads": .boolean(true)
                    ]),
                    "old.example.com": .dictionary([
                        "NSExceptionMinimumTLSVersion": .string("TLSv1.0")
                    ]),
                ])
            ])
        },
    ]

    private static let development = [
        RuleCase("lint.development-code", .warns, at: "/Frameworks/Example.debug.dylib") {
            $0.nesting(.dynamicLibrary("Example.debug"))
        },
        RuleCase("lint.development-code", .warns, at: "/Frameworks/__preview.dylib") {
            $0.nesting(.dynamicLibrary("__preview"))
        },
        RuleCase(
            "lint.development-code",
            .warns,
            at: "/Frameworks/libclang_rt.asan_ios_dynamic.dylib",
        ) {
            $0.nesting(.dynamicLibrary("libclang_rt.asan_ios_dynamic"))
        },
        RuleCase("lint.development-code", .warns, at: "/Frameworks/libXCTestSwiftSupport.dylib") {
            $0.nesting(.dynamicLibrary("libXCTestSwiftSupport"))
        },
        RuleCase("lint.development-code", .warns, at: "/Frameworks/XCTest.framework") {
            $0.nesting(.framework("XCTest"))
        },
        RuleCase("lint.development-address", .warns, at: "/Info.plist") {
            $0.info("API_BASE_URL", .string("http://localhost:3000/v1"))
        },
        RuleCase("lint.development-address", .warns, at: "/Info.plist") {
            $0.info("API_BASE_URL", .string("https://me:secret@[::1]:3000"))
        },
        RuleCase("lint.launch-screen-missing", .warns, at: "/Info.plist") {
            $0.info("UILaunchScreen", nil)
        },
    ]

    private static let purposes = [
        RuleCase("lint.purpose-missing", .warns, at: "/Info.plist") {
            $0.linking("CoreBluetooth")
        },
        RuleCase("lint.purpose-missing", .warns, at: "/Info.plist") {
            $0.linking("HealthKit")
                .entitlement("com.apple.developer.healthkit", .boolean(true))
        },
        RuleCase("lint.purpose-missing", .warns, at: "/Info.plist") { $0.linking("Contacts") },
        RuleCase("lint.purpose-missing", .notes, at: "/Info.plist") {
            $0.linking("Contacts", "ContactsUI")
        },
        RuleCase("lint.purpose-missing", .notes, at: "/Info.plist") { $0.linking("HealthKit") },
        RuleCase("lint.purpose-missing", .notes, at: "/Info.plist") {
            $0.linking("CoreLocation")
        },
        RuleCase("lint.purpose-missing", .notes, at: "/Info.plist") {
            $0.editing { $0.app.link("CoreBluetooth", isWeak: true) }
        },
        RuleCase("lint.purpose-missing", .warns, at: "/Info.plist") {
            var framework = BundleDraft.framework("Kit")
            framework.link("Speech")
            return $0.nesting(framework)
        },
        RuleCase("lint.purpose-missing", .warns, at: "/PlugIns/Widget.appex/Info.plist") {
            var widget = BundleDraft.widget("Widget")
            widget.link("Speech")
            return $0.nesting(widget)
        },
        RuleCase("lint.purpose-missing", .warns, at: "/Info.plist") {
            var widget = BundleDraft.widget("Widget")
            widget.link("Speech")
            return $0.linking("Speech").nesting(widget)
        },
        RuleCase("lint.purpose-missing", .warns, at: "/Info.plist") {
            $0.info("NSBonjourServices", .array([.string("_example._tcp")]))
        },
        RuleCase("lint.purpose-empty", .warns, at: "/Info.plist") {
            $0.linking("Speech").info("NSSpeechRecognitionUsageDescription", .string(" "))
        },
    ]

    private static let addresses = [
        RuleCase("lint.query-schemes", .warns, at: "/Info.plist") {
            $0.info(
                "LSApplicationQueriesSchemes",
                .array((1...51).map { .string("scheme\($0)") }),
            )
        },
        RuleCase("lint.scheme-invalid", .warns, at: "/Info.plist") {
            $0.opening("example-app", "example_app://")
        },
        RuleCase("lint.scheme-reserved", .notes, at: "/Info.plist") { $0.opening("HTTPS") },
        RuleCase("lint.scheme-repeated", .notes, at: "/Info.plist") {
            $0.opening("example", "Example")
        },
    ]
}

extension IPABuilder {
    fileprivate func transportSecurity(_ settings: [String: PropertyList]) -> IPABuilder {
        info("NSAppTransportSecurity", .dictionary(settings))
    }

    fileprivate func linking(_ frameworks: String...) -> IPABuilder {
        editing { builder in
            for framework in frameworks { builder.app.link(framework) }
        }
    }

    fileprivate func opening(_ schemes: String...) -> IPABuilder {
        info(
            "CFBundleURLTypes",
            .array([.dictionary(["CFBundleURLSchemes": .array(schemes.map { .string($0) })])]),
        )
    }
}
