import Bundles
import Bytes
import CodeSignature
import MachOFormat
import PropertyLists

/// Checks the purpose strings with which iOS asks the user: "Requesting access to protected resources"
/// (UIKit).
extension LintRules {
    static func purposes(in input: InspectionInput) -> [Finding] {
        purposes(of: input.application, in: nil, input)
            + localNetwork(of: input.application)
    }

    /// A bundle and Apple's frameworks that its code links.
    private struct Host {
        let info: InfoPlist
        let links: LinkedFrameworks
    }

    /// Checks the app and the extensions and App Clips in it.
    ///
    /// A watch app asks on the watch and is left out.
    private static func purposes(
        of bundle: AppBundle,
        in host: Host?,
        _ input: InspectionInput,
    ) -> [Finding] {
        switch bundle.kind {
        case .application, .appExtension, .appClip:
            let own = Host(
                info: bundle.info,
                links: LinkedFrameworks(of: bundle, in: input),
            )
            // An App Clip is installed without the app that contains it.
            let host = bundle.kind == .appExtension ? host : nil
            return missing(from: bundle, links: own.links, in: host, input) + empty(in: bundle)
                + bundle.nested.flatMap { purposes(of: $0, in: own, input) }
        case .framework, .dynamicLibrary, .watchApplication: return []
        }
    }

    private static func missing(
        from bundle: AppBundle,
        links: LinkedFrameworks,
        in host: Host?,
        _ input: InspectionInput,
    ) -> [Finding] {
        let claims = input.claims(of: bundle)
        return ProtectedResource.all.compactMap { resource in
            let has = { (info: InfoPlist) in
                resource.purposes.contains { info.values[$0] != nil }
            }
            guard let link = links[resource.framework], !has(bundle.info) else { return nil }
            // The app's purpose string also applies to its extensions; a missing one is reported for the
            // app.
            if let host, has(host.info) || host.links[resource.framework] != nil { return nil }
            let isCertain = link.isRequired && resource.isCertain(links: links, claims: claims)
            return Rule.purposeMissing.finding(
                "\(link.place) links \(resource.framework), but Info.plist has no "
                    + "\(resource.purposes[0]): \(resource.outcome(isCertain: isCertain)).",
                at: bundle.infoPlace,
                severity: isCertain ? .warns : .notes,
            )
        }
    }

    private static func empty(in bundle: AppBundle) -> [Finding] {
        let keys = (bundle.info.values.dictionary ?? [:])
            .filter { key, value in
                key.hasSuffix("UsageDescription")
                    && value.string?.allSatisfy(\.isWhitespace) ?? true
            }
            .keys.sorted()
        guard !keys.isEmpty else { return [] }
        return [
            Rule.purposeEmpty.finding(
                "Info.plist gives no reason in \(quoted: keys), so iOS asks the user without one.",
                at: bundle.infoPlace,
            )
        ]
    }

    /// Bonjour fails if either is missing: `NetService.ErrorCode.missingRequiredConfigurationError`.
    private static func localNetwork(of application: AppBundle) -> [Finding] {
        let key = "NSLocalNetworkUsageDescription"
        guard let services = application.info.values["NSBonjourServices"]?.array,
            !services.isEmpty, application.info.values[key] == nil
        else { return [] }
        return [
            Rule.purposeMissing.finding(
                "Info.plist lists \(quoted: services.compactMap(\.string)) in NSBonjourServices "
                    + "but has no \(key): since iOS 14, Bonjour needs both.",
                at: application.infoPlace,
            )
        ]
    }
}

/// Apple's frameworks that a bundle's code, or a library inside it, links.
private struct LinkedFrameworks {
    struct Link {
        /// The path of the linking file, relative to the bundle.
        let place: String
        /// False for a weakly linked framework, which may be missing at run time.
        let isRequired: Bool
    }

    private var links: [String: Link] = [:]

    init(of bundle: AppBundle, in input: InspectionInput) {
        for part in [bundle] + Self.libraries(of: bundle) {
            guard let executable = input.signatures(of: part)?.executable else { continue }
            let place = PrintableText(
                escaping: executable.path.relative(to: bundle.path) ?? executable.path
            )
            for slice in executable.slices {
                for library in slice.libraries where library.binding != .own {
                    guard let name = Self.framework(library.path) else { continue }
                    let isRequired = library.binding != .weak
                    guard links[name] == nil || isRequired && links[name]?.isRequired == false
                    else { continue }
                    links[name] = Link(place: place.text, isRequired: isRequired)
                }
            }
        }
    }

    subscript(framework: String) -> Link? { links[framework] }

    private static func libraries(of bundle: AppBundle) -> [AppBundle] {
        bundle.nested.filter { !$0.kind.hasOwnProfile }
            .flatMap { [$0] + libraries(of: $0) }
    }

    /// Returns `CoreMotion` for `/System/Library/Frameworks/CoreMotion.framework/CoreMotion`.
    private static func framework(_ path: String) -> String? {
        let parts = RelativePath(path).components
        guard parts.count >= 5, parts[0..<3] == ["System", "Library", "Frameworks"],
            parts[3].fileExtension == "framework"
        else { return nil }
        return parts[3].stem.text
    }
}

extension ProtectedResource {
    fileprivate func isCertain(links: LinkedFrameworks, claims: PropertyList?) -> Bool {
        switch certainty {
        case .linked: true
        case .linkedWithout(let other): links[other] == nil
        case .entitled(let key): claims?[key] != nil
        case .never: false
        }
    }

    /// For Core Location, iOS denies access without asking, instead of ending the app.
    fileprivate func outcome(isCertain: Bool) -> String {
        if framework == "CoreLocation" {
            return "if the app asks for the location, iOS denies access"
        }
        return isCertain
            ? "iOS terminates the app when it asks for \(title)"
            : "if the app asks for \(title), iOS terminates it"
    }
}

extension Rule {
    static let purposes = [purposeMissing, purposeEmpty]

    fileprivate static let purposeMissing = Rule(
        "lint.purpose-missing",
        .warns,
        "A purpose string is missing",
        fix:
            "Add the key with a sentence for the user to the target's Info.plist and build again, "
            + "or stop linking the framework.",
    )
    fileprivate static let purposeEmpty = Rule(
        "lint.purpose-empty",
        .warns,
        "A purpose string is empty",
        fix: "Explain in the target's Info.plist why the app needs access, and build again.",
    )
}
