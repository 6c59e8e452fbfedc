import Bundles
import Bytes

/// The provisioning profile of the app and of everything in it that has its own: catalogue rows
/// 3 to 6, 32, 33 and 36.
enum ProfileRules {
    static func findings(in specimen: Specimen) -> [Finding] {
        specimen.provisioned.filter(\.defects.isEmpty).flatMap { bundle in
            switch specimen.profile(of: bundle) {
            case .absent:
                [
                    Rule.profileMissing.finding(
                        "There is no embedded.mobileprovision in \(bundle.kind.title) that needs "
                            + "one.",
                        at: bundle.profilePlace,
                    )
                ]
            case .unreadable(let refusal):
                [
                    Rule.profileMalformed.finding(
                        "The profile cannot be read: \(PrintableText(escaping: "\(refusal)", limit: 300)).",
                        at: bundle.profilePlace,
                    )
                ]
            case .read(let profile):
                trust(in: profile, of: bundle) + distribution(of: profile, in: bundle)
                    + contents(of: profile, in: bundle)
            }
        }
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
                    "The profile is signed under \(quoted: name), which is trusted here and is not "
                        + "Apple's: a real phone refuses this build.",
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

    /// What the kind of the profile means for an installation over the air.
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
                    "\(named) is In-House: whoever opens the app first trusts "
                        + "\(quoted: profile.teamName ?? profile.name) in Settings.",
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
                    "\(named) is Ad Hoc: iOS 16 and later may ask for Developer Mode before the "
                        + "app opens; Apple's documents do not say.",
                    at: bundle.profilePlace,
                )
            ]
        case .enterprise, .development, .adHoc:
            return []
        }
    }

    /// Since TestFlight takes the builds of the App Store, almost all such profiles serve both.
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
                "\(named) is for the App Store and TestFlight (beta-reports-active), which alone "
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
        if profile.kind.isLimitedToListedDevices, profile.devices?.isEmpty ?? true {
            findings.append(
                Rule.noDevices.finding(
                    "The profile is limited to the devices that it lists, and it lists none.",
                    at: bundle.profilePlace,
                )
            )
        } else if profile.unreadableDevices > 0 {
            findings.append(
                Rule.devicesUnreadable.finding(
                    "\(profile.unreadableDevices) entries of the profile's device list are no "
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

extension Rule {
    static let profile =
        [
            profileMissing, profileMalformed, profileUnverified, privateAuthority, appStore,
            testFlight, enterprise, developerMode, profilePlatform, noDevices, devicesUnreadable,
            noCertificates,
        ] + datedProfile

    fileprivate static let profileMissing = Rule(
        "profile.missing",
        .blocks,
        "No provisioning profile",
        mend: "Export with xcodebuild -exportArchive and an Ad Hoc (release-testing), development "
            + "or enterprise method; it embeds the profiles.",
        appleCode: "0xe8008015",
    )
    fileprivate static let profileMalformed = Rule(
        "profile.malformed",
        .blocks,
        "The provisioning profile cannot be read",
        mend: "Download the profile again from Certificates, Identifiers & Profiles and export "
            + "again.",
        appleCode: "0xe8008003",
    )
    fileprivate static let profileUnverified = Rule(
        "profile.unverified",
        .blocks,
        "The provisioning profile's signature is not accepted",
        mend: "Download the profile again from Certificates, Identifiers & Profiles and export "
            + "again; nobody may edit the file.",
        appleCode: "0xe8008004",
    )
    fileprivate static let privateAuthority = Rule(
        "profile.private-authority",
        .warns,
        "The provisioning profile is signed by a private authority",
        mend: "Use it for tests only; for phones, sign with a profile from Apple.",
        appleCode: "0xe8008004",
    )
    fileprivate static let appStore = Rule(
        "profile.app-store",
        .blocks,
        "The build is signed for the App Store",
        mend: "Export again with the Ad Hoc method (release-testing in ExportOptions.plist).",
        appleCode: "0xe8008015",
    )
    fileprivate static let testFlight = Rule(
        "profile.testflight",
        .blocks,
        "The build is signed for TestFlight",
        mend: "Export again with the Ad Hoc method (release-testing in ExportOptions.plist), or "
            + "distribute it with TestFlight.",
        appleCode: "0xe800801f",
    )
    fileprivate static let enterprise = Rule(
        "profile.enterprise",
        .notes,
        "The build is In-House and must be trusted once",
        mend: "Tell testers: Settings, General, VPN & Device Management, the company, Trust.",
        appleCode: "0xe8008025",
    )
    fileprivate static let developerMode = Rule(
        "profile.developer-mode",
        .notes,
        "The device may ask for Developer Mode",
        mend: "Tell testers: Settings, Privacy & Security, Developer Mode, on, restart.",
    )
    fileprivate static let profilePlatform = Rule(
        "profile.wrong-platform",
        .blocks,
        "The provisioning profile is for another platform",
        mend: "Create an Ad Hoc profile for iOS and export again with it.",
        appleCode: "0xe8008010",
    )
    fileprivate static let noDevices = Rule(
        "profile.no-devices",
        .blocks,
        "The provisioning profile lists no devices",
        mend: "Register the testers' devices, select them in the profile, download it and export "
            + "again.",
        appleCode: "0xe8008012",
    )
    fileprivate static let devicesUnreadable = Rule(
        "profile.devices-unreadable",
        .notes,
        "Some entries of the device list are no device identifiers",
        mend: "Remove the entries from the register on Apple's developer site.",
    )
    fileprivate static let noCertificates = Rule(
        "profile.no-certificates",
        .blocks,
        "The provisioning profile allows no certificate",
        mend: "Select a valid distribution certificate in the profile, download it and export "
            + "again.",
        appleCode: "0xe8008015",
    )
}
