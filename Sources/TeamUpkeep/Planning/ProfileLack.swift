import Essentials
import Identifiers
import Releases

/// Why the profile that a bundle would be signed with does not serve.
struct ProfileLack: Sendable {
    let bundle: BundleIdentifier
    /// Devices that it does not list.
    let devices: [Device]
    /// One clause.
    let reason: String
    /// The same for the same lack of the same profile.
    let text: String

    /// Nil for a profile that serves.
    ///
    /// - Parameters:
    ///   - bundle: what the profile is for.
    ///   - choice: the profile; nil where the team has none.
    ///   - wanted: the devices that it has to list.
    ///   - staying: those that it may list; nil for any. What an admin has given the team may list
    ///     any.
    ///   - invalid: what Apple calls the profiles that are no longer valid.
    ///   - certificateEnd: when the team's certificate ends.
    ///   - days: how many days before its end a profile is renewed.
    ///   - date: now.
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
                // No profile outlives its certificate: a new one would end on the same day.
                certificateEnd.timeIntervalSince(choice.expires) > 86_400
            {
                why = "the profile of \(bundle) ends on \(Wording.day(choice.expires))"
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
