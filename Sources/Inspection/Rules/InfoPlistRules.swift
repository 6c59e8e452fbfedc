import Bundles
import Bytes
import Identifiers
import PropertyLists

/// Checks what installd reads in Info.plist.
enum InfoPlistRules {
    static func findings(in input: InspectionInput) -> [Finding] {
        input.provisioned.filter(\.defects.isEmpty).flatMap { required($0) + versions(of: $0) }
            + input.validatedFrameworks.filter(\.defects.isEmpty).compactMap { framework in
                framework.info.identifierText == nil
                    ? missing("CFBundleIdentifier", from: framework, .identifierMissing) : nil
            }
            + platform(of: input) + devices(of: input.application)
            + ownership(of: input.application)
            + input.provisioned.filter(\.defects.isEmpty).flatMap(placeholders)
            + input.application.everyBundle.flatMap(odd)
    }

    /// The keys without which installd refuses a bundle.
    private static func required(_ bundle: AppBundle) -> [Finding] {
        var findings: [Finding] = []
        let info = bundle.info
        if let text = info.identifierText, info.bundleIdentifier == nil {
            findings.append(
                Rule.identifierInvalid.finding(
                    "CFBundleIdentifier is \(quoted: text); only letters, digits, hyphens and "
                        + "single dots may be in it.",
                    at: bundle.infoPlace,
                )
            )
        }
        if let identifier = info.bundleIdentifier, !identifier.isAsDocumented {
            findings.append(
                Rule.identifierCharacters.inference(
                    "CFBundleIdentifier is \(quoted: identifier.rawValue); devices accept the underscore, "
                        + "but the App Store refuses it.",
                    at: bundle.infoPlace,
                )
            )
        }
        for (key, value, rule) in [
            ("CFBundleIdentifier", info.identifierText, Rule.identifierMissing),
            ("CFBundleShortVersionString", info.version, Rule.versionMissing),
            ("CFBundleVersion", info.build, Rule.buildMissing),
        ] where value == nil {
            findings.append(missing(key, from: bundle, rule))
        }
        return findings
    }

    private static func missing(_ key: String, from bundle: AppBundle, _ rule: Rule) -> Finding {
        let info = bundle.info
        let wrong = info.wrongTypes.first { $0.key == key }
        // The installer refuses a version that is not a string; a missing one only warns.
        let mayMiss = key == "CFBundleShortVersionString" && info.values[key] == nil
        let state =
            if let wrong {
                "is \(wrong.found), but should be \(wrong.expected)"
            } else {
                info.values[key] == nil ? "is missing" : "is empty"
            }
        return rule.finding(
            "\(key) \(state).",
            at: bundle.infoPlace,
            severity: mayMiss ? .warns : nil,
        )
    }

    /// Checks the form of the version and the build number.
    private static func versions(of bundle: AppBundle) -> [Finding] {
        [
            ("CFBundleShortVersionString", bundle.info.versionText),
            ("CFBundleVersion", bundle.info.buildText),
        ].compactMap { (key, text) -> Finding? in
            guard let text, !isPlaceholder(text) else { return nil }
            guard text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
                return Rule.versionCharacters.finding(
                    "\(key) is \(quoted: text), which has characters other than printable ASCII.",
                    at: bundle.infoPlace,
                )
            }
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            let isNumber = { (part: Substring) in
                !part.isEmpty && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
            }
            guard parts.count > 3 || !parts.allSatisfy(isNumber) else { return nil }
            return Rule.versionForm.finding(
                "\(key) is \(quoted: text); Apple describes one to three integers with dots "
                    + "between them.",
                at: bundle.infoPlace,
            )
        }
    }

    /// Whether the app was built for a device that runs iOS.
    private static func platform(of input: InspectionInput) -> [Finding] {
        let application = input.application
        let info = application.info
        let platforms = info.supportedPlatforms + [info.platformName].compactMap(\.self)
        let kinds = Set(platforms.map { $0.lowercased() })
        if kinds.isEmpty, info.values["LSRequiresIPhoneOS"]?.boolean == false {
            return [
                Rule.wrongPlatform.inference(
                    "The app names no platform and says that it is not for iOS "
                        + "(LSRequiresIPhoneOS).",
                    at: application.infoPlace,
                )
            ]
        }
        guard !kinds.isEmpty, !kinds.contains("iphoneos") || kinds.contains("iphonesimulator")
        else {
            return []
        }
        let named = "\(quoted: platforms)"
        if kinds.contains("iphonesimulator") {
            guard info.isForSimulator else {
                return [
                    Rule.wrongPlatform.inference(
                        "Info.plist names a device's platform and the simulator's (\(named)); "
                            + "what the code is built for decides.",
                        at: application.infoPlace,
                    )
                ]
            }
            guard !input.isProgramForDevices else {
                return [
                    Rule.simulatorBuild.inference(
                        "Info.plist says that the app was built for the simulator (\(named)), but "
                            + "its code is built for devices.",
                        at: application.infoPlace,
                    )
                ]
            }
            return [
                Rule.simulatorBuild.finding(
                    "The app was built for the simulator (\(named)).",
                    at: application.infoPlace,
                )
            ]
        }
        return [
            Rule.wrongPlatform.inference(
                "The app was built for \(named), not for iPhoneOS.",
                at: application.infoPlace,
            )
        ]
    }

    /// Values that may install but are hardly intended.
    private static func odd(_ bundle: AppBundle) -> [Finding] {
        let info = bundle.info
        var findings = info.wrongTypes
            .filter { !hasRuleOfItsOwn.contains($0.key) }
            .map {
                Rule.wrongType.inference(
                    "\($0.key) is \($0.found), but should be \($0.expected).",
                    at: bundle.infoPlace,
                )
            }
        if !info.repeatedKeys.isEmpty {
            findings.append(
                Rule.repeatedKey.inference(
                    "Info.plist has \(quoted: info.repeatedKeys) twice in one dictionary; which "
                        + "value devices take is not known.",
                    at: bundle.infoPlace,
                )
            )
        }
        if info.isUTF16 {
            findings.append(
                Rule.infoEncoding.inference(
                    "Info.plist is UTF-16 text; Xcode writes the binary form or UTF-8.",
                    at: bundle.infoPlace,
                )
            )
        }
        if let text = info.minimumOSText, info.minimumOS == nil {
            findings.append(
                Rule.minimumOSInvalid.inference(
                    "MinimumOSVersion is \(quoted: text), which is not a version.",
                    at: bundle.infoPlace,
                )
            )
        }
        if bundle.kind == .application, let type = info.packageType, type != "APPL" {
            findings.append(
                Rule.packageType.inference(
                    "CFBundlePackageType is \(quoted: type); it must be APPL for an app.",
                    at: bundle.infoPlace,
                )
            )
        }
        return findings
    }

    private static let hasRuleOfItsOwn: Set = [
        "CFBundleIdentifier", "CFBundleShortVersionString", "CFBundleVersion", "CFBundleExecutable",
        "NSExtension",
    ]
}
