import Bundles
import Bytes
import Foundation
import Identifiers
import Zip

/// Compares the app itself with the manifest and the device.
extension InstallSimulation {
    mutating func examine(_ arrival: Arrival, of offer: Offer) -> Installation? {
        var notes = StepNotes()
        let bundle: AppBundle
        do {
            let source = try FileSource(path: arrival.file.path(percentEncoded: false))
            bundle = try AppBundle(in: ZipArchive(reading: source))
        } catch {
            notes.faults.append(
                .failure(
                    .archiveUnreadable,
                    "the app is not a readable IPA: \(error)",
                    shown: .cannotInstall(title: offer.title),
                    fix: (error as? ZipRefusal)?.rule.fix ?? (error as? BundleRefusal)?.fix
                        ?? "Export the app again and serve the new file.",
                )
            )
            take(Step(.identity, notes))
            return nil
        }
        compare(bundle.info, with: offer, noting: &notes)
        take(Step(.identity, notes))
        if goesOn { compareWithDevice(bundle.info, title: offer.title) }
        if goesOn, phone.udid != nil { lookForDevice(in: bundle, title: offer.title) }
        return Installation(
            bundleIdentifier: bundle.info.identifierText ?? "",
            version: bundle.info.version,
            build: bundle.info.build,
            title: offer.title ?? bundle.name,
            bytes: arrival.size,
            sha256: arrival.sha256,
            file: arrival.file,
            resumptions: arrival.resumptions,
        )
    }

    private func compare(
        _ info: InfoPlist,
        with offer: Offer,
        noting notes: inout StepNotes,
    ) {
        let identifier = info.identifierText ?? "nothing"
        notes.facts.append("\(identifier) \(info.version ?? "?") (\(info.build ?? "?"))")
        if let promised = offer.bundleIdentifier, promised != info.identifierText {
            notes.faults.append(
                .failure(
                    .identifierDiffers,
                    "the manifest names \(promised), but the app is \(identifier)",
                    shown: .vanishes,
                    fix: "Write the app's own CFBundleIdentifier into the manifest.",
                )
            )
        }
        if let promised = offer.bundleVersion, ![info.build, info.version].contains(promised) {
            notes.faults.append(
                .warning(
                    .versionDiffers,
                    "the manifest names version \(promised), but the app is "
                        + "\(info.version ?? "?") (\(info.build ?? "?"))",
                    fix:
                        "Create the manifest again for this app; an old file may be cached in "
                        + "between.",
                )
            )
        }
    }

    private mutating func compareWithDevice(_ info: InfoPlist, title: String?) {
        var notes = StepNotes(facts: ["\(phone.family.title) with iOS \(phone.os)"])
        if let minimum = info.minimumOS, minimum > phone.os {
            notes.faults.append(
                .failure(
                    .systemTooOld,
                    "the app needs iOS \(minimum), but this device has \(phone.os)",
                    shown: .cannotInstall(title: title),
                    fix: "Update the device, or lower the deployment target.",
                )
            )
        }
        if !info.families.isEmpty, !phone.family.runs(appsFor: info.families) {
            let families = info.families.map(\.title).joined(separator: ", ")
            notes.faults.append(
                .failure(
                    .wrongFamily,
                    "the app is for \(families), but this device is an \(phone.family.title)",
                    shown: .cannotInstall(title: title),
                    fix: "Add the device family to the target (TARGETED_DEVICE_FAMILY).",
                )
            )
        }
        take(Step(.compatibility, notes))
    }

    /// Checks that the profiles of the app and of every nested bundle with a profile list the device;
    /// messages never contain a UDID.
    private mutating func lookForDevice(in bundle: AppBundle, title: String?) {
        var notes = StepNotes()
        if bundle.profile.flatMap({ try? $0.claims() }) == nil {
            notes.faults.append(
                .failure(
                    .profileMissing,
                    "the app has no readable provisioning profile",
                    shown: .integrity(title: title),
                    fix: "Export the app for Ad Hoc distribution.",
                )
            )
        }
        for inner in bundle.everyBundle {
            guard let profile = inner.profile.flatMap({ try? $0.claims() }) else { continue }
            guard let devices = profile.devices else {
                notes.facts.append("“\(profile.name)” is not limited to devices")
                continue
            }
            notes.facts.append(
                "“\(profile.name)” lists \(devices.count) \(devices.count == 1 ? "device" : "devices")"
            )
            guard let udid = phone.udid, !devices.contains(udid) else { continue }
            let whose = inner.path == bundle.path ? "" : " of \(inner.path)"
            notes.faults.append(
                .failure(
                    .deviceMissing,
                    "this device is not among the \(devices.count) of the profile "
                        + "“\(profile.name)”\(whose)",
                    shown: .integrity(title: title),
                    fix: "Register the device with Apple, renew the profile and build again.",
                )
            )
        }
        take(Step(.profile, notes))
    }
}
