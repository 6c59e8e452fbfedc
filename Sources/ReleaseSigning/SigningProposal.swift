import Bundles
package import Essentials
package import Identifiers
package import Inspection
import Signing

/// What re-signing a release would change.
package struct SigningProposal: Sendable {
    package let choice: ProfileChoice
    /// Devices that the app's profile would list and does not list now.
    package let gained: [DeviceUDID]
    /// Devices that the app's profile lists now and would no longer list.
    package let lost: [DeviceUDID]
    /// The number of devices that the app's profile would list; nil if it needs no list.
    package let devices: Int?
    /// Whether the release already has these profiles, so that nothing would change.
    package let isUnchanged: Bool

    /// - Parameters:
    ///   - choice: the profiles to use.
    ///   - report: the report on the release as it is now.
    ///   - date: the present; a build that can no longer be installed is signed again with the same
    ///     profiles.
    package init(_ choice: ProfileChoice, insteadOf report: InspectionReport, at date: Date) {
        self.choice = choice
        let before = Set(report.profile?.devices ?? [])
        let own = choice.byPath[report.identity.path]?.facts
        devices = own?.devices?.count
        let after = Set(own?.devices ?? [])
        gained = after.subtracting(before).sorted { $0.rawValue < $1.rawValue }
        // A profile without a list removes no device.
        lost =
            own?.devices == nil
            ? [] : before.subtracting(after).sorted { $0.rawValue < $1.rawValue }
        var now: [String: String] = [:]
        if let profile = report.profile { now[report.identity.path] = profile.uuid }
        for bundle in report.nested where bundle.kind.hasOwnProfile {
            if let profile = bundle.profile { now[bundle.path] = profile.uuid }
        }
        isUnchanged =
            now == choice.byPath.mapValues(\.facts.uuid)
            && report.verdict(at: date).verdict != .blocked
    }
}
