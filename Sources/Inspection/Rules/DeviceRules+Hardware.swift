import Bundles
import Bytes
import Identifiers

/// Checks a device's hardware and system against a report.
extension DeviceRules {
    /// Checks that a variant thinned for some models is for this one.
    static func thinning(
        in report: InspectionReport,
        for device: DeviceFacts,
    ) -> [Finding] {
        guard let listed = report.identity.supportedModels else { return [] }
        let place = report.identity.path + "/Info.plist"
        guard let name = device.model else {
            return [
                Rule.modelUnknown.finding(
                    "The build is thinned for \(counted: listed.count, "model"), but the device's "
                        + "model is not known.",
                    at: place,
                    devices: device.concerned,
                )
            ]
        }
        guard !listed.contains(where: { $0 == name || $0.hasPrefix(name + "-") }) else { return [] }
        let message =
            "UISupportedDevices lists \(quoted: listed), but not the device's model, "
            + "\(quoted: name)"
        // A newer device may accept a variant for an older one; Apple does not document how.
        if let model = ProductType(name), isNewer(model, than: listed) {
            return [
                Rule.modelExcluded.finding(
                    message + "; it is newer than all of these and may pass for one.",
                    at: place,
                    severity: .warns,
                    devices: device.concerned,
                )
            ]
        }
        return [
            Rule.modelExcluded.finding(message + ".", at: place, devices: device.concerned)
        ]
    }

    private static func isNewer(_ model: ProductType, than listed: [String]) -> Bool {
        let kin = listed.compactMap { ProductType($0.prefix { $0 != "-" }) }
            .filter { $0.family == model.family }
        return !kin.isEmpty && kin.allSatisfy(model.isNewer)
    }

    /// The app's own `UIRequiredDeviceCapabilities`; those of a nested bundle leave out only that bundle.
    static func capabilities(
        in report: InspectionReport,
        of device: DeviceFacts,
    ) -> [Finding] {
        let model = device.model.flatMap { ProductType($0) }
        let required = (report.identity.capabilities ?? [:]).sorted { $0.key < $1.key }
        var certain: [String] = []
        var probable: [String] = []
        for (name, isNeeded) in required {
            let support = DeviceCapability.named(name)?
                .support(of: model, family: device.family)
            switch (support, isNeeded) {
            case (.absent, true), (.present, false): certain.append(isNeeded ? name : "no \(name)")
            case (.probablyAbsent, true): probable.append(name)
            default: continue
            }
        }
        let place = report.identity.path + "/Info.plist"
        let title = device.model.map { "\(quoted: $0)" } ?? device.family?.title ?? "device"
        var findings: [Finding] = []
        if !certain.isEmpty {
            findings.append(
                Rule.capabilityMissing.finding(
                    "UIRequiredDeviceCapabilities requires \(quoted: certain), which the device, "
                        + "\(title), does not have.",
                    at: place,
                    devices: device.concerned,
                )
            )
        }
        if !probable.isEmpty {
            findings.append(
                Rule.capabilityDoubtful.finding(
                    "UIRequiredDeviceCapabilities requires \(quoted: probable), which the device, "
                        + "\(title), probably lacks. Apple does not document this.",
                    at: place,
                    devices: device.concerned,
                )
            )
        }
        return findings
    }

    /// Reports a program with only arm64e code on a device with a processor before the A12, which the
    /// capability `iphone-ipad-minimum-performance-a12` identifies.
    static func processor(in report: InspectionReport, of device: DeviceFacts) -> [Finding] {
        let slices = report.signature?.slices.map(\.architecture) ?? []
        guard slices.contains("arm64e"), !slices.contains("arm64"),
            let path = report.signature?.path
        else { return [] }
        let support = DeviceCapability.named("iphone-ipad-minimum-performance-a12")?
            .support(of: device.model.flatMap { ProductType($0) }, family: device.family)
        guard support == .absent else { return [] }
        let title = device.model.map { "\(quoted: $0)" } ?? device.family?.title ?? "device"
        return [
            Rule.processorUnsupported.finding(
                "The code is only for arm64e, which needs an A12 or later, but the device, "
                    + "\(title), has an older processor.",
                at: path,
                devices: device.concerned,
            )
        ]
    }

    /// Extensions for extension points that the device's iOS lacks.
    ///
    /// An extension that requires a newer iOS than the device has is left out and does no harm.
    static func points(in report: InspectionReport, for device: DeviceFacts) -> [Finding] {
        guard let os = device.comparableOS else { return [] }
        let watch = report.identity.path + "/Watch/"
        return report.nested.compactMap { bundle in
            guard bundle.kind == .appExtension, !bundle.path.hasPrefix(watch),
                let point = bundle.extensionPoint.flatMap(ExtensionPoint.named), os < point.since
            else { return nil }
            let minimum = (bundle.minimumOS ?? report.identity.minimumOS).flatMap { OSVersion($0) }
            guard minimum.map({ $0 <= os }) ?? true else { return nil }
            return Rule.pointUnsupported.finding(
                "The extension is for \(quoted: point.name), which iOS has had since "
                    + "\(point.since), but the device runs \(system: device).",
                at: bundle.path + "/Info.plist",
                devices: device.concerned,
            )
        }
    }
}

extension DefaultStringInterpolation {
    /// `1 model`, `2 models`.
    mutating func appendInterpolation(counted count: Int, _ noun: String) {
        appendLiteral("\(count.grouped) \(noun)\(count == 1 ? "" : "s")")
    }
}

extension Rule {
    static let hardware = [
        modelExcluded, modelUnknown, capabilityMissing, capabilityDoubtful,
        processorUnsupported, pointUnsupported,
    ]

    fileprivate static let modelExcluded = Rule(
        "device.model-excluded",
        .blocks,
        "The build is thinned for other models",
        fix: "Export again with thinning set to <none> and publish the universal build.",
        appleCode: "0xe80000c8",
        causes: [.variantForOtherModels],
    )
    fileprivate static let modelUnknown = Rule(
        "device.model-unknown",
        .notes,
        "The device's model is not known",
        fix: "Set the device's model, or enrol the device.",
    )
    fileprivate static let capabilityMissing = Rule(
        "device.capability-missing",
        .blocks,
        "The device lacks a capability that the app requires",
        fix: "Remove capabilities that the app does not need from UIRequiredDeviceCapabilities "
            + "and build again, or use another device.",
        phone: .notNow,
        causes: [.capabilityMissing],
    )
    fileprivate static let capabilityDoubtful = Rule(
        "device.capability-doubtful",
        .warns,
        "The device probably lacks a capability that the app requires",
        fix: "Remove capabilities that the app does not need from UIRequiredDeviceCapabilities "
            + "and build again, or use another device.",
        causes: [.capabilityMissing],
    )
    fileprivate static let processorUnsupported = Rule(
        "device.processor-unsupported",
        .blocks,
        "The code is not for the device's processor",
        fix: "Build for arm64 as well (ARCHS at its default), or use an iPhone XS, an iPad Air of "
            + "2019 or a later device.",
        appleCode: "0xe8000087",
        causes: [.architectureMissing],
    )
    fileprivate static let pointUnsupported = Rule(
        "device.extension-point-unsupported",
        .blocks,
        "An extension uses an extension point that the device's iOS does not have",
        fix: "Set the extension's IPHONEOS_DEPLOYMENT_TARGET to the version that introduced its "
            + "extension point and build again, or update the device.",
        appleCode: "0xe80000b1",
        causes: [.extensionPointUnsupported],
    )
}
