import Bundles
package import Essentials
package import Identifiers
package import Inspection
import Signing

/// What signing a release again would change.
package struct SigningProposal: Sendable {
    package let choice: ProfileChoice
    /// Of the app's own profile, beside those that it lists now.
    package let gained: [DeviceUDID]
    /// Listed now, and no longer then.
    package let lost: [DeviceUDID]
    /// How many the app's profile would list; nil when it needs none.
    package let devices: Int?
    /// Whether the release has just these profiles already, so that nothing would change.
    package let isUnchanged: Bool

    /// - Parameters:
    ///   - choice: the profiles that would be in it.
    ///   - report: what is in the release as it is now.
    ///   - date: now; a build that installs nowhere any more is signed again with the same profiles.
    package init(_ choice: ProfileChoice, insteadOf report: InspectionReport, at date: Date) {
        self.choice = choice
        let before = Set(report.profile?.devices ?? [])
        let own = choice.byPath[report.identity.path]?.facts
        devices = own?.devices?.count
        let after = Set(own?.devices ?? [])
        gained = after.subtracting(before).sorted { $0.rawValue < $1.rawValue }
        // A profile that needs no list takes no device away.
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
