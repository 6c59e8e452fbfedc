import Bundles
import Bytes
import Identifiers
import PropertyLists

/// Checks the keys in Info.plist that say which devices the app is for.
extension InfoPlistRules {
    static func devices(of application: AppBundle) -> [Finding] {
        families(of: application) + minimum(of: application) + models(of: application)
            + capabilities(of: application)
    }

    private static func families(of application: AppBundle) -> [Finding] {
        let value = application.info.values["UIDeviceFamily"]
        guard value == nil || value?.array?.isEmpty == true else { return [] }
        return [
            Rule.familiesMissing.finding(
                "UIDeviceFamily is \(value == nil ? "missing" : "empty"); the app counts as one "
                    + "for iPhone.",
                at: application.infoPlace,
            )
        ]
    }

    /// The newest major version of iOS when these rules were written; Apple releases one a year.
    private static let newestMajor = 27

    private static func minimum(of application: AppBundle) -> [Finding] {
        let place = application.infoPlace
        guard let text = application.info.minimumOSText else {
            guard application.info.values["MinimumOSVersion"] == nil else { return [] }
            return [
                Rule.minimumOSMissing.finding(
                    "MinimumOSVersion is missing, so it is not known which devices the app runs "
                        + "on.",
                    at: place,
                )
            ]
        }
        guard let version = application.info.minimumOS, version.major > newestMajor + 1 else {
            return []
        }
        return [
            Rule.minimumOSUnknown.finding(
                "MinimumOSVersion is \(quoted: text); the newest known iOS is \(newestMajor).",
                at: place,
            )
        ]
    }

    private static func models(of application: AppBundle) -> [Finding] {
        let place = application.infoPlace
        guard let value = application.info.values["UISupportedDevices"] else { return [] }
        guard let listed = value.array else {
            return [
                Rule.modelsInvalid.finding(
                    "UISupportedDevices is \(value.kindTitle), but should be an array of strings.",
                    at: place,
                )
            ]
        }
        guard !listed.isEmpty, listed.allSatisfy({ $0.string != nil }) else {
            let state = listed.isEmpty ? "is empty" : "has values that are not strings"
            return [Rule.modelsInvalid.finding("UISupportedDevices \(state).", at: place)]
        }
        return [
            Rule.thinned.finding(
                "The build is a variant for \(counted: listed.count, "model") "
                    + "(UISupportedDevices): \(quoted: listed.compactMap(\.string)).",
                at: place,
            )
        ]
    }

    private static func capabilities(of application: AppBundle) -> [Finding] {
        let key = "UIRequiredDeviceCapabilities"
        if let value = application.info.values[key], value.array == nil, value.dictionary == nil {
            return [
                Rule.capabilitiesInvalid.finding(
                    "\(key) is \(value.kindTitle), but should be an array or a dictionary.",
                    at: application.infoPlace,
                )
            ]
        }
        let unknown = application.info.requiredCapabilities.filter(\.value).keys
            .filter { DeviceCapability.named($0) == nil }.sorted()
        guard !unknown.isEmpty else { return [] }
        return [
            Rule.capabilityUnknown.inference(
                "UIRequiredDeviceCapabilities requires \(quoted: unknown), which Apple does not "
                    + "list; a device that does not know it may refuse the app.",
                at: application.infoPlace,
            )
        ]
    }
}

extension Rule {
    static let infoDevices = [
        familiesMissing, minimumOSMissing, minimumOSUnknown, modelsInvalid, thinned,
        capabilitiesInvalid, capabilityUnknown, placeholder, identifierSystem, identifierApples,
    ]

    fileprivate static let familiesMissing = Rule(
        "info.families-missing",
        .notes,
        "Info.plist names no device family",
        fix: "Set TARGETED_DEVICE_FAMILY (1 iPhone, 2 iPad) and build again.",
    )
    fileprivate static let minimumOSMissing = Rule(
        "info.minimum-os-missing",
        .notes,
        "Info.plist has no minimum version of iOS",
        fix: "Set IPHONEOS_DEPLOYMENT_TARGET to a version such as 15.0 and build again.",
    )
    fileprivate static let minimumOSUnknown = Rule(
        "info.minimum-os-unknown",
        .notes,
        "The minimum version of iOS is newer than any known version",
        fix: "Set IPHONEOS_DEPLOYMENT_TARGET to a version that devices have and build again.",
    )
    fileprivate static let modelsInvalid = Rule(
        "info.supported-devices-invalid",
        .blocks,
        "The list of supported models is not valid",
        fix: "Export again with thinning set to <none>, which writes no UISupportedDevices.",
        appleCode: "0xe80000c9",
        causes: [.variantForOtherModels],
    )
    fileprivate static let thinned = Rule(
        "info.thinned",
        .notes,
        "The build is thinned for some models",
        fix: "Export with thinning set to <none> if other models should install it too.",
        causes: [.variantForOtherModels],
    )
    /// MIInstallerErrorDomain 66.
    fileprivate static let capabilitiesInvalid = Rule(
        "info.capabilities-invalid",
        .blocks,
        "The required capabilities are neither an array nor a dictionary",
        fix: "Make UIRequiredDeviceCapabilities in the target's Info.plist an array and build "
            + "again.",
        phone: .notNow,
        causes: [.capabilityMissing],
    )
    fileprivate static let capabilityUnknown = Rule(
        "info.capability-unknown",
        .warns,
        "A required capability is not in Apple's list",
        fix: "Correct UIRequiredDeviceCapabilities and build again.",
        causes: [.capabilityMissing],
    )
    static let placeholder = Rule(
        "info.placeholder",
        .warns,
        "Info.plist has build setting names instead of their values",
        fix: "Let Xcode process the file (INFOPLIST_FILE, not a copied resource), or set the "
            + "build setting.",
    )
    static let identifierSystem = Rule(
        "info.identifier-system",
        .blocks,
        "The bundle identifier is that of a system app",
        fix: "Set PRODUCT_BUNDLE_IDENTIFIER to an identifier of your team and build again.",
        appleCode: "0xe8000036",
        causes: [.systemIdentifier],
    )
    static let identifierApples = Rule(
        "info.identifier-apples",
        .warns,
        "The bundle identifier begins like Apple's own",
        fix: "Set PRODUCT_BUNDLE_IDENTIFIER to an identifier of your team and build again.",
        appleCode: "0xe8000036",
        causes: [.systemIdentifier],
    )
}
