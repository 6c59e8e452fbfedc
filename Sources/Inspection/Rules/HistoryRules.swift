import Bundles
import Bytes
import Identifiers

/// Compares a build with those already in the store.
enum HistoryRules {
    static func findings(
        in report: InspectionReport,
        against history: PublishedHistory,
    ) -> [Finding] {
        taken(in: report, by: history.others)
            + (history.offer.map { findings(in: report, after: $0, on: history.devices) } ?? [])
    }

    private static func findings(
        in report: InspectionReport,
        after offer: PublishedHistory.Offer,
        on devices: [DeviceFacts],
    ) -> [Finding] {
        guard offer.report.identity.sha256 != report.identity.sha256 else { return [] }
        return identifier(in: report, after: offer) + version(in: report, after: offer)
            + profile(in: report, after: offer) + system(in: report, after: offer, on: devices)
    }

    /// An app can only be upgraded by a build with the same application identifier.
    private static func identifier(
        in report: InspectionReport,
        after offer: PublishedHistory.Offer,
    ) -> [Finding] {
        guard let before = offer.report.applicationIdentifier,
            let now = report.applicationIdentifier, before != now
        else { return [] }
        return [
            Rule.identifierChanged.finding(
                "\(offer.name) is signed as \(quoted: before) and this build as \(quoted: now): a "
                    + "device that has it installs this build only after the app is deleted.",
                at: report.signature?.path ?? report.identity.path,
            )
        ]
    }

    private static func version(
        in report: InspectionReport,
        after offer: PublishedHistory.Offer,
    ) -> [Finding] {
        guard !(report.identity.order > offer.report.identity.order) else { return [] }
        return [
            Rule.versionNotAbove.finding(
                "\(report.identity.number) is not higher than \(offer.name).",
                at: report.identity.path + "/Info.plist",
            )
        ]
    }

    /// Reports devices that can install the offered build but not this one, by the two profiles.
    private static func profile(
        in report: InspectionReport,
        after offer: PublishedHistory.Offer,
    ) -> [Finding] {
        guard let before = offer.report.profile, let now = report.profile,
            let listed = now.devices
        else { return [] }
        let message: String
        if let devices = before.devices {
            let missing = Set(devices).subtracting(listed).count
            guard missing > 0 else { return [] }
            message =
                "\(missing.grouped) of the \(devices.count.grouped) devices that can install \(offer.name) "
                + "\(missing == 1 ? "is" : "are") missing from the profile \(quoted: now.name)."
        } else if before.type == .enterprise {
            message =
                "Any device can install \(offer.name), but the profile \(quoted: now.name) lists "
                + "\(listed.count)."
        } else {
            return []
        }
        return [
            Rule.profileShrunk.finding(
                message,
                at: report.identity.path + "/embedded.mobileprovision",
            )
        ]
    }

    private static func system(
        in report: InspectionReport,
        after offer: PublishedHistory.Offer,
        on devices: [DeviceFacts],
    ) -> [Finding] {
        guard let before = offer.report.identity.minimumOS.flatMap({ OSVersion($0) }),
            let now = report.identity.minimumOS.flatMap({ OSVersion($0) }), now > before
        else { return [] }
        let listed = (offer.report.profile?.devices).map(Set.init)
        let left = devices.filter { device in
            guard let udid = device.udid, let os = device.comparableOS,
                listed?.contains(udid) ?? true
            else { return false }
            return os >= before && os < now
        }
        let known =
            switch left.count {
            case 0: "no known device runs an older version"
            case 1: "1 device runs an older version and gets no update"
            case let count: "\(count.grouped) devices run an older version and get no update"
            }
        return [
            Rule.minimumRaised.finding(
                "\(offer.name) needs iOS \(before) and this build iOS \(now): \(known).",
                at: report.identity.path + "/Info.plist",
            )
        ]
    }

    /// Two apps on a device cannot share a bundle identifier, not even that of a nested bundle.
    private static func taken(
        in report: InspectionReport,
        by others: [InspectionReport],
    ) -> [Finding] {
        var owners: [String: AppIdentity] = [:]
        for other in others
        where other.identity.bundleIdentifier != report.identity.bundleIdentifier {
            for (identifier, _) in other.identifiers { owners[identifier] = other.identity }
        }
        return report.identifiers.compactMap { identifier, path in
            guard let owner = owners[identifier] else { return nil }
            let app = owner.bundleIdentifier?.rawValue ?? owner.name
            return Rule.identifierTaken.finding(
                "\(quoted: identifier) is also used by the app \(quoted: app): a device that has "
                    + "one does not install the other.",
                at: path + "/Info.plist",
            )
        }
    }
}

extension InspectionReport {
    /// The application identifier in the code's entitlements; in reports from before `ota` read
    /// signatures, the one that the profile grants to the bundle.
    fileprivate var applicationIdentifier: String? {
        if let signature {
            return signature.entitlements.first { $0.key == "application-identifier" }?.claimed
        }
        guard let granted = profile?.applicationIdentifier,
            let identifier = identity.bundleIdentifier
        else { return nil }
        return "\(granted.prefix { $0 != "." }).\(identifier.rawValue)"
    }

    /// The bundle identifiers that must be unique on a device, each with its bundle's path.
    fileprivate var identifiers: [(identifier: String, path: String)] {
        let inner = nested.filter(\.kind.hasOwnProfile).compactMap { bundle in
            bundle.bundleIdentifier.map { ($0, bundle.path) }
        }
        return (identity.bundleIdentifier.map { [($0.rawValue, identity.path)] } ?? []) + inner
    }
}

extension AppIdentity {
    /// `1.2 (34)`.
    fileprivate var number: String {
        "\(PrintableText(escaping: version ?? "?", limit: 60)) "
            + "(\(PrintableText(escaping: build ?? "?", limit: 60)))"
    }

    fileprivate var order: (VersionNumber, VersionNumber) {
        (VersionNumber(version ?? ""), VersionNumber(build ?? ""))
    }
}

extension PublishedHistory.Offer {
    /// `1.2 (34) of the channel stable`.
    fileprivate var name: String { "\(report.identity.number) of the channel \(channel)" }
}

extension Rule {
    static let history = [
        identifierChanged, versionNotAbove, identifierTaken, profileShrunk, minimumRaised,
    ]

    fileprivate static let identifierChanged = Rule(
        "history.application-identifier-changed",
        .warns,
        "An upgrade would change the application identifier",
        fix: "Sign with a profile of the same team and prefix as before; if the change is "
            + "intended, tell testers to delete the app first.",
        appleCode: "0xe80000be",
        phone: .notNow,
        causes: [.applicationIdentifierChanged],
    )
    fileprivate static let versionNotAbove = Rule(
        "history.version-not-above",
        .warns,
        "The version is not higher than the one on the channel",
        fix: "Raise CURRENT_PROJECT_VERSION or MARKETING_VERSION and build again; to publish "
            + "an older version on purpose, use another channel.",
    )
    fileprivate static let identifierTaken = Rule(
        "history.identifier-taken",
        .warns,
        "Another app in the store uses the same identifier",
        fix: "Change PRODUCT_BUNDLE_IDENTIFIER of one of the two and build again.",
        appleCode: "0xe80000cb",
        phone: .notNow,
        causes: [.identifierOfOtherApp],
    )
    fileprivate static let profileShrunk = Rule(
        "history.profile-shrunk",
        .warns,
        "Devices that have the app are missing from the new profile",
        fix: "Add the devices to the profile again, export and publish that build; `ota devices "
            + "check` lists them.",
        causes: [.deviceNotInProfile],
    )
    fileprivate static let minimumRaised = Rule(
        "history.minimum-os-raised",
        .notes,
        "The build needs a newer iOS than the previous one",
        fix: "Lower IPHONEOS_DEPLOYMENT_TARGET, or tell the testers concerned to update.",
        causes: [.osTooOld],
    )
}
