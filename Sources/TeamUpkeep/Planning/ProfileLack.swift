import Essentials
import Identifiers
import Releases

/// Why the profile with which a bundle would be signed is not sufficient.
struct ProfileLack: Sendable {
    let bundle: BundleIdentifier
    /// Devices that the profile does not list.
    let devices: [Device]
    /// The reason, as one clause.
    let reason: String
    /// Identifies this reason for this profile; used to recognise the same need.
    let text: String

    /// Nil if the profile is sufficient.
    ///
    /// - Parameters:
    ///   - bundle: the bundle of the profile.
    ///   - choice: the profile; nil if the team has none.
    ///   - wanted: the devices that it has to list.
    ///   - staying: the devices that it may list; nil for any. A profile from an admin may list any
    ///     devices.
    ///   - invalid: Apple's identifiers of the profiles that are no longer valid.
    ///   - certificateEnd: when the team's certificate expires.
    ///   - days: the number of days before its expiry at which a profile is renewed.
    ///   - date: the current time.
    init?(
        _ bundle: BundleIdentifier,
        _ choice: OfferedBuild.Choice?,
        wanted: [Device],
        staying: Set<DeviceUDID>? = nil,
        invalid: [String],
        certificateEnd: Date,
        renewingBefore days: Int,
        at date: Date,
    ) {
        let missing = wanted.filter { device in
            guard let choice else { return true }
            return choice.devices.map { !$0.contains(device.udid) } ?? false
        }
        let why: String
        if let choice {
            if choice.accountID.map(invalid.contains) ?? false {
                why = "Apple says that the profile of \(bundle) is no longer valid"
            } else if choice.expires <= date.addingTimeInterval(Double(days) * 86_400),
                // A profile expires with its certificate at the latest, so a new one would expire on the
                // same day.
                certificateEnd.timeIntervalSince(choice.expires) > 86_400
            {
                why = "the profile of \(bundle) expires on \(Wording.day(choice.expires))"
            } else if !missing.isEmpty {
                why = "the profile of \(bundle) lacked \(Wording.count(missing.count, "device"))"
            } else if let staying, choice.accountID != nil,
                let left = choice.devices?.subtracting(staying), !left.isEmpty
            {
                why =
                    "the profile of \(bundle) lists \(Wording.count(left.count, "device")) too many"
            } else {
                return nil
            }
        } else {
            why = "the team has no profile for \(bundle)"
        }
        self.bundle = bundle
        devices = missing
        reason = why
        let names = missing.map { "\($0.udid) \($0.stateSince)" }.sorted()
        text = "\(bundle) \(choice?.uuid ?? "none") " + names.joined(separator: ",") + why.prefix(5)
    }
}
