import Bundles
import Bytes
import Identifiers

/// Checks the nested bundles against the app.
enum NestedRules {
    static func findings(in input: InspectionInput) -> [Finding] {
        let application = input.application
        return application.everyBundle.flatMap { host in
            host.nested.flatMap { bundle in
                identifier(of: bundle, in: host) + packageType(of: bundle)
                    + versions(of: bundle, against: application)
            }
        }
            + duplicates(in: input) + application.everyBundle.flatMap(duplicateFrameworks)
            + input.provisioned.dropFirst().flatMap { bundle in
                team(of: bundle, in: input) + devices(of: bundle, in: input)
            }
    }

    private static func identifier(of bundle: AppBundle, in host: AppBundle) -> [Finding] {
        guard bundle.kind == .appExtension || bundle.kind == .appClip,
            let own = bundle.info.bundleIdentifier, let hosts = host.info.bundleIdentifier
        else { return [] }
        guard let suffix = own.suffix(under: hosts) else {
            // Another finding reports that both have the same identifier.
            guard own != hosts else { return [] }
            let message =
                "The bundle identifier \(quoted: own.rawValue) does not begin with "
                + "\(quoted: hosts.rawValue + "."), the identifier of the bundle that contains it."
            return [
                bundle.kind == .appClip
                    ? Rule.notPrefixed.inference(message, at: bundle.infoPlace)
                    : Rule.notPrefixed.finding(message, at: bundle.infoPlace)
            ]
        }
        guard bundle.kind == .appExtension, suffix.contains(".") else { return [] }
        return [
            Rule.tooDeep.finding(
                "The bundle identifier \(quoted: own.rawValue) has another dot after "
                    + "\(quoted: hosts.rawValue + ".").",
                at: bundle.infoPlace,
            )
        ]
    }

    /// The key may be missing.
    private static func packageType(of bundle: AppBundle) -> [Finding] {
        guard bundle.kind == .appExtension, bundle.defects.isEmpty,
            let type = bundle.info.packageType, type != "XPC!"
        else { return [] }
        return [
            Rule.extensionPackageType.finding(
                "CFBundlePackageType is \(quoted: type); it must be XPC! for an app extension.",
                at: bundle.infoPlace,
            )
        ]
    }

    /// Frameworks have versions of their own and are left out.
    private static func versions(
        of bundle: AppBundle,
        against application: AppBundle,
    ) -> [Finding] {
        guard bundle.kind.hasOwnProfile else { return [] }
        let pairs = [
            ("CFBundleShortVersionString", bundle.info.version, application.info.version),
            ("CFBundleVersion", bundle.info.build, application.info.build),
        ]
        let differing = pairs.compactMap { key, own, apps -> String? in
            guard let own, let apps, own != apps else { return nil }
            return "\(key) is \(quoted: own), but the app's is \(quoted: apps)"
        }
        guard !differing.isEmpty else { return [] }
        return [
            Rule.versionDiffers.inference(
                differing.joined(separator: "; ") + ".",
                at: bundle.infoPlace,
            )
        ]
    }

    private static func duplicates(in input: InspectionInput) -> [Finding] {
        var first: [String: RelativePath] = [:]
        return input.provisioned.compactMap { bundle in
            guard let identifier = bundle.info.bundleIdentifier?.rawValue else { return nil }
            guard let other = first[identifier] else {
                first[identifier] = bundle.path
                return nil
            }
            return Rule.duplicate.finding(
                "The bundle identifier \(quoted: identifier) is also that of \(quoted: other).",
                at: bundle.infoPlace,
            )
        }
    }

    /// Finds frameworks in `host` that share an identifier with `host` or with another bundle in it.
    ///
    /// The installer keeps one table of the identifiers of the app, its frameworks and its extensions
    /// (MIInstallerErrorDomain 57); frameworks inside extensions are not in it.
    private static func duplicateFrameworks(in host: AppBundle) -> [Finding] {
        var first: [String: RelativePath] = [:]
        for bundle in [host] + host.nested.filter(\.kind.hasOwnProfile) {
            guard let identifier = bundle.info.identifierText else { continue }
            first[identifier] = first[identifier] ?? bundle.path
        }
        return host.nested.filter { $0.kind == .framework }.compactMap { framework in
            guard let identifier = framework.info.identifierText else { return nil }
            guard let other = first[identifier] else {
                first[identifier] = framework.path
                return nil
            }
            let message =
                "The framework's bundle identifier \(quoted: identifier) is also that of "
                + "\(quoted: other)."
            return host.kind == .application
                ? Rule.duplicate.finding(message, at: framework.infoPlace)
                : Rule.duplicate.inference(message, at: framework.infoPlace)
        }
    }

    private static func team(of bundle: AppBundle, in input: InspectionInput) -> [Finding] {
        guard let own = input.profile(of: bundle).profile?.team,
            let apps = input.profile(of: input.application).profile?.team, own != apps
        else { return [] }
        return [
            Rule.otherTeam.finding(
                "The profile belongs to team \(quoted: own), but the app's to \(quoted: apps).",
                at: bundle.profilePlace,
            )
        ]
    }

    /// Devices that the app's profile lists and the nested bundle's profile does not.
    private static func devices(of bundle: AppBundle, in input: InspectionInput) -> [Finding] {
        guard let apps = input.profile(of: input.application).profile?.devices,
            let profile = input.profile(of: bundle).profile,
            profile.kind.isLimitedToListedDevices, let listed = profile.devices, !listed.isEmpty
        else { return [] }
        let missing = Set(apps).subtracting(listed).sorted()
        guard !missing.isEmpty else { return [] }
        return [
            Rule.notInNestedProfile.finding(
                "\(missing.count.grouped) of the \(Set(apps).count.grouped) devices in the app's "
                    + "profile are not "
                    + "in the profile \(quoted: profile.name) of \(bundle.kind.title) inside it.",
                at: bundle.profilePlace,
                devices: missing.count == Set(apps).count ? nil : missing,
            )
        ]
    }
}

extension Rule {
    static let nested = [
        notPrefixed, tooDeep, duplicate, extensionPackageType, versionDiffers, otherTeam,
    ]

    fileprivate static let notPrefixed = Rule(
        "nested.identifier-not-prefixed",
        .blocks,
        "A nested bundle's identifier does not begin with the app's",
        fix: "Set the extension's PRODUCT_BUNDLE_IDENTIFIER to the app's identifier, followed by a "
            + "dot and one word.",
        appleCode: "0xe800009e",
        causes: [.extensionIdentifierNotPrefixed],
    )
    fileprivate static let tooDeep = Rule(
        "nested.identifier-too-deep",
        .blocks,
        "An extension's identifier has more than one part after the app's",
        fix: "Set the extension's PRODUCT_BUNDLE_IDENTIFIER to the app's identifier, followed by a "
            + "dot and one word.",
        appleCode: "0xe80000ca",
        causes: [.extensionIdentifierDotted],
    )
    fileprivate static let duplicate = Rule(
        "nested.identifier-duplicate",
        .blocks,
        "Two bundles in the app have the same identifier",
        fix: "Give each target its own PRODUCT_BUNDLE_IDENTIFIER.",
        appleCode: "0xe80000b0",
        causes: [.bundleIdentifierRepeated],
    )
    fileprivate static let extensionPackageType = Rule(
        "nested.package-type",
        .blocks,
        "An extension's package type is not XPC!",
        fix: "Set CFBundlePackageType to XPC! in the extension's Info.plist, or to "
            + "$(PRODUCT_BUNDLE_PACKAGE_TYPE).",
        appleCode: "0xe80000a1",
        causes: [.extensionPackageType],
    )
    fileprivate static let versionDiffers = Rule(
        "nested.version-differs",
        .warns,
        "A nested bundle's version is not the app's",
        fix: "Set MARKETING_VERSION and CURRENT_PROJECT_VERSION for the project, not per target.",
    )
    fileprivate static let otherTeam = Rule(
        "nested.team-differs",
        .blocks,
        "A nested bundle's profile belongs to another team",
        fix: "Sign every target with profiles of one team (DEVELOPMENT_TEAM) and export again.",
        appleCode: "0xe8008015",
        causes: [.nestedCodeOfOtherTeam],
    )
}
