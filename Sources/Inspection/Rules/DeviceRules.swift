import Bundles
import Bytes
import Identifiers

/// Checks one device against a report.
enum DeviceRules {
    static func findings(in report: InspectionReport, for device: DeviceFacts) -> [Finding] {
        profiles(in: report, for: device) + family(in: report, of: device)
            + system(in: report, of: device) + thinning(in: report, for: device)
            + capabilities(in: report, of: device) + processor(in: report, of: device)
            + points(in: report, for: device)
    }

    private static func profiles(
        in report: InspectionReport,
        for device: DeviceFacts,
    ) -> [Finding] {
        guard let udid = device.udid else { return [] }
        let findings = report.profiles.enumerated().compactMap { index, reading -> Finding? in
            let (place, profile) = reading
            guard profile.type.isLimitedToListedDevices,
                let devices = profile.devices, !devices.isEmpty, !devices.contains(udid)
            else { return nil }
            let isApps = index == 0 && report.profile != nil
            // The app and its nested bundles may share a profile; report it once.
            guard isApps || profile != report.profile else { return nil }
            let listed =
                devices.count == 1 ? "the one device" : "among the \(devices.count.grouped) devices"
            return (isApps ? Rule.notInProfile : .notInNestedProfile).finding(
                "The device is not \(listed) in the profile \(quoted: profile.name).",
                at: place,
                devices: device.concerned,
            )
        }
        // One cause: the device is not registered in any of the profiles.
        guard let first = findings.first, first.id == Rule.notInProfile.id, findings.count > 1
        else { return findings }
        let others = findings.dropFirst().map(\.place)
        return [first.saying("\(first.message.dropLast()), nor in \(quoted: others).")]
    }

    private static func family(
        in report: InspectionReport,
        of device: DeviceFacts,
    ) -> [Finding] {
        let families = report.identity.families.compactMap(DeviceFamily.init(name:))
        guard !families.isEmpty else { return [] }
        let place = report.identity.path + "/Info.plist"
        let titles = families.map(\.title).joined(separator: ", ")
        let model = device.model.flatMap { ProductType($0) }
        guard let own = device.family ?? model?.family?.deviceFamily else {
            // Apps for iPhone also run on iPad.
            guard !families.contains(.phone) else { return [] }
            return [
                Rule.familyUnknown.finding(
                    "The app is for \(titles), but the kind of device is not known.",
                    at: place,
                    devices: device.concerned,
                )
            ]
        }
        guard !own.runs(appsFor: families) else { return [] }
        return [
            Rule.familyUnsupported.finding(
                "The app is for \(titles), but the device is an \(own.title).",
                at: place,
                devices: device.concerned,
            )
        ]
    }

    private static func system(
        in report: InspectionReport,
        of device: DeviceFacts,
    ) -> [Finding] {
        guard let minimum = report.identity.minimumOS.flatMap({ OSVersion($0) }) else { return [] }
        let place = report.identity.path + "/Info.plist"
        guard let own = device.comparableOS else {
            let reason =
                if let os = device.os {
                    "it is not known which iOS corresponds to the device's \(os)"
                } else {
                    "the version that the device runs is not known"
                }
            return [
                Rule.systemUnknown.finding(
                    "The app needs iOS \(minimum), but \(reason).",
                    at: place,
                    devices: device.concerned,
                )
            ]
        }
        guard own < minimum else { return [] }
        return [
            Rule.systemTooOld.finding(
                "The app needs iOS \(minimum), but the device runs \(system: device).",
                at: place,
                devices: device.concerned,
            )
        ]
    }
}

extension DefaultStringInterpolation {
    /// `18.1`, or `2.1 (as iOS 18.1)` for a device whose system has other version numbers.
    mutating func appendInterpolation(system device: DeviceFacts) {
        guard let os = device.os else { return }
        appendLiteral(os.description)
        if let own = device.comparableOS, own != os { appendLiteral(" (as iOS \(own))") }
    }
}

extension Rule {
    static let device =
        [
            notInProfile, notInNestedProfile, familyUnsupported, familyUnknown, systemTooOld,
            systemUnknown,
        ] + hardware

    fileprivate static let notInProfile = Rule(
        "device.not-in-profile",
        .blocks,
        "The device is not in the provisioning profile",
        fix: "Register the device, add it to the profile, export again with the new profile and "
            + "publish that build.",
        appleCode: "0xe8008012",
        causes: [.deviceNotInProfile],
    )
    /// Also found without a device, for the devices that the app's profile lists.
    static let notInNestedProfile = Rule(
        "device.not-in-nested-profile",
        .blocks,
        "The device is not in the profile of a bundle inside the app",
        fix: "Add the device to the nested bundle's profile too, export again and publish that "
            + "build.",
        appleCode: "0xe8008015",
        causes: [.deviceNotInProfile],
    )
    fileprivate static let familyUnsupported = Rule(
        "device.family-unsupported",
        .blocks,
        "The app does not support this kind of device",
        fix: "Add the family to TARGETED_DEVICE_FAMILY and build again, or use another device.",
        appleCode: "0xe8000080",
        causes: [.deviceFamilyUnsupported],
    )
    fileprivate static let familyUnknown = Rule(
        "device.family-unknown",
        .notes,
        "The kind of device is not known",
        fix: "Set the device's model, or enrol the device.",
    )
    fileprivate static let systemTooOld = Rule(
        "device.os-too-old",
        .blocks,
        "The device's iOS is older than the app needs",
        fix: "Update the device, or lower IPHONEOS_DEPLOYMENT_TARGET and build again.",
        appleCode: "0xe800007e",
        causes: [.osTooOld],
    )
    fileprivate static let systemUnknown = Rule(
        "device.os-unknown",
        .notes,
        "The device's iOS version is not known",
        fix: "Set the device's OS version, or enrol the device.",
    )
}
