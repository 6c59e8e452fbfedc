import Bundles
import Bytes
import PropertyLists

/// Checks what a build for testers may load without TLS: "NSAppTransportSecurity" (Bundle Resources).
extension LintRules {
    static func transportSecurity(in input: InspectionInput) -> [Finding] {
        let application = input.application
        guard input.audience != .developers,
            let settings = application.info.values["NSAppTransportSecurity"]?.dictionary
        else { return [] }
        let isRelease = input.audience == .testers
        return arbitraryLoads(in: settings, isRelease: isRelease, at: application.infoPlace)
            + exceptions(in: settings, at: application.infoPlace)
    }

    private static func arbitraryLoads(
        in settings: [String: PropertyList],
        isRelease: Bool,
        at place: RelativePath,
    ) -> [Finding] {
        guard settings["NSAllowsArbitraryLoads"]?.isTrue == true else { return [] }
        let overriding = narrowerKeys.first { settings[$0] != nil }
        let effect =
            overriding.map { "iOS 10 and later ignore it because \($0) is present too" }
            ?? "the app may connect to any host without TLS"
        let build = isRelease ? "a build for testers" : "this build"
        return [
            Rule.arbitraryLoads.finding(
                "NSAllowsArbitraryLoads is true in \(build): \(effect).",
                at: place,
                severity: isRelease ? .warns : .notes,
            )
        ]
    }

    /// Exceptions that are narrower than the whole internet.
    private static func exceptions(
        in settings: [String: PropertyList],
        at place: RelativePath,
    ) -> [Finding] {
        let kinds = [
            ("NSAllowsArbitraryLoadsInWebContent", "web views"),
            ("NSAllowsArbitraryLoadsForMedia", "media"),
            ("NSAllowsArbitraryLoadsInMedia", "media"),
        ]
        var findings = kinds.filter { settings[$0.0]?.isTrue == true }.map { key, what in
            Rule.insecureLoads.finding(
                "\(key) is true: \(what) may load from any host without TLS.",
                at: place,
            )
        }
        let domains = (settings["NSExceptionDomains"]?.dictionary ?? [:])
            .filter { _, exception in insecureKeys.contains { exception[$0]?.isTrue == true } }
            .keys.sorted()
        if !domains.isEmpty {
            findings.append(
                Rule.insecureLoads.finding(
                    "NSExceptionDomains lets \(quoted: domains) load without TLS.",
                    at: place,
                )
            )
        }
        return findings
    }

    /// If any of these keys is present, with whatever value, iOS ignores NSAllowsArbitraryLoads.
    private static let narrowerKeys = [
        "NSAllowsArbitraryLoadsInWebContent", "NSAllowsArbitraryLoadsForMedia",
        "NSAllowsArbitraryLoadsInMedia", "NSAllowsLocalNetworking",
    ]
    private static let insecureKeys = [
        "NSExceptionAllowsInsecureHTTPLoads", "NSTemporaryExceptionAllowsInsecureHTTPLoads",
        "NSThirdPartyExceptionAllowsInsecureHTTPLoads",
    ]
}

extension PropertyList {
    /// Whether Core Foundation reads the value as true: also a non-zero number, and a string such as
    /// `YES`.
    fileprivate var isTrue: Bool {
        boolean ?? integer.map { $0 != 0 }
            ?? string.map { ["yes", "true", "1"].contains($0.lowercased()) } ?? false
    }
}

extension Rule {
    static let transportSecurity = [arbitraryLoads, insecureLoads]

    fileprivate static let arbitraryLoads = Rule(
        "lint.arbitrary-loads",
        .warns,
        "The build turns off App Transport Security",
        fix: "Remove NSAllowsArbitraryLoads from the Info.plist of the Release configuration; "
            + "list hosts that really have no TLS in NSExceptionDomains.",
    )
    fileprivate static let insecureLoads = Rule(
        "lint.insecure-loads",
        .notes,
        "The build can load some content without TLS",
        fix: "Serve those hosts over HTTPS and remove the exception.",
    )
}
