import Bundles
import Bytes

/// Checks the profiles of the app and of every nested bundle that has one of its own.
enum ProfileRules {
    static func findings(in input: InspectionInput) -> [Finding] {
        input.provisioned.filter(\.defects.isEmpty).flatMap { bundle in
            switch input.profile(of: bundle) {
            case .absent:
                [missing(from: bundle, lent: input.lent(to: bundle))]
            case .unreadable(let refusal):
                [
                    Rule.profileMalformed.finding(
                        "The profile cannot be read: "
                            + "\(PrintableText(escaping: "\(refusal)", limit: 300)).",
                        at: bundle.profilePlace,
                    )
                ]
            case .read(let profile):
                trust(in: profile, of: bundle) + secondForm(of: profile, in: bundle)
                    + distribution(of: profile, in: bundle) + contents(of: profile, in: bundle)
                    + account(of: profile, in: bundle)
            }
        }
    }

    private static func missing(
        from bundle: AppBundle,
        lent: ProvisioningProfile?,
    ) -> Finding {
        let message = "There is no embedded.mobileprovision in \(bundle.kind.title) that needs one"
        guard let lent else {
            return Rule.profileMissing.finding(message + ".", at: bundle.profilePlace)
        }
        return Rule.profileMissing.inference(
            "\(message); the app's profile \(quoted: lent.name) covers its code.",
            at: bundle.profilePlace,
        )
    }

    private static func trust(
        in profile: ProvisioningProfile,
        of bundle: AppBundle,
    ) -> [Finding] {
        switch profile.trust {
        case .apple:
            []
        case .privateAuthority(let name):
            [
                Rule.privateAuthority.finding(
                    "The profile is signed by \(quoted: name), a private authority and not "
                        + "Apple: a real phone refuses this build.",
                    at: bundle.profilePlace,
                )
            ]
        case .unverified(let reason):
            [
                Rule.profileUnverified.finding(
                    "The profile's signature is not accepted: "
                        + "\(PrintableText(escaping: reason, limit: 300)).",
                    at: bundle.profilePlace,
                )
            ]
        }
    }

    /// Checks whether the kind of the profile allows installation over the air.
    private static func distribution(
        of profile: ProvisioningProfile,
        in bundle: AppBundle,
    ) -> [Finding] {
        let named = "The profile \(quoted: profile.name)"
        switch profile.kind {
        case .appStore:
            return appStore(profile, named, in: bundle)
        case .enterprise where bundle.kind == .application:
            return [
                Rule.enterprise.finding(
                    "\(named) is In-House: before the app opens, each tester trusts "
                        + "\(quoted: profile.teamName ?? profile.name) in Settings; iOS 18 and "
                        + "later restart the device for it and ask Apple, so it must be online.",
                    at: bundle.profilePlace,
                )
            ]
        case .development where bundle.kind == .application:
            return [
                Rule.developerMode.finding(
                    "\(named) is for development: iOS 16 and later ask for Developer Mode before "
                        + "the app opens.",
                    at: bundle.profilePlace,
                )
            ]
        case .adHoc where bundle.kind == .application:
            return [
                Rule.developerMode.finding(
                    "\(named) is Ad Hoc: the app usually opens at once; iOS 16 and later may ask "
                        + "for Developer Mode first, and Apple's documents do not say when.",
                    at: bundle.profilePlace,
                )
            ]
        case .enterprise, .development, .adHoc:
            return []
        }
    }

    /// Since TestFlight accepts the builds for the App Store, almost all such profiles serve both.
    private static func appStore(
        _ profile: ProvisioningProfile,
        _ named: String,
        in bundle: AppBundle,
    ) -> [Finding] {
        guard profile.isTestFlight else {
            return [
                Rule.appStore.finding(
                    "\(named) is for the App Store: it lists no devices and is not In-House.",
                    at: bundle.profilePlace,
                )
            ]
        }
        return [
            Rule.testFlight.finding(
                "\(named) is for the App Store and TestFlight (beta-reports-active), and only TestFlight "
                    + "installs it before its release.",
                at: bundle.profilePlace,
            )
        ]
    }

    private static func contents(
        of profile: ProvisioningProfile,
        in bundle: AppBundle,
    ) -> [Finding] {
        var findings: [Finding] = []
        if !profile.platforms.isEmpty, !profile.platforms.contains("iOS") {
            findings.append(
                Rule.profilePlatform.finding(
                    "The profile is for \(quoted: profile.platforms), not for iOS.",
                    at: bundle.profilePlace,
                )
            )
        }
        if profile.teamIdentifiers.isEmpty {
            findings.append(
                Rule.profileTeamMissing.inference(
                    "The profile \(quoted: profile.name) names no team (TeamIdentifier), as all "
                        + "since 2013 do.",
                    at: bundle.profilePlace,
                )
            )
        }
        if profile.kind.isLimitedToListedDevices, profile.devices?.isEmpty ?? true {
            findings.append(
                Rule.noDevices.finding(
                    "The profile is limited to the devices that it lists, but it lists none.",
                    at: bundle.profilePlace,
                )
            )
        } else if profile.unreadableDevices > 0 {
            findings.append(
                Rule.devicesUnreadable.finding(
                    "\(profile.unreadableDevices.grouped) entries of the profile's device list are not "
                        + "device identifiers.",
                    at: bundle.profilePlace,
                )
            )
        }
        if profile.certificates.isEmpty {
            findings.append(
                profile.unreadableCertificates == 0
                    ? Rule.noCertificates.finding(
                        "The profile allows no signing certificate (DeveloperCertificates).",
                        at: bundle.profilePlace,
                    )
                    : Rule.noCertificates.inference(
                        "None of the profile's \(profile.unreadableCertificates) signing "
                            + "certificates can be read.",
                        at: bundle.profilePlace,
                    )
            )
        }
        return findings
    }
}
