package import AppleDeveloper
package import Essentials
import Identifiers
package import Releases

extension DeviceSyncPlan {
    /// Returns the differences that are new since the last comparison, for admins.
    ///
    /// The code that replaces the snapshot records them, because the next comparison finds nothing new.
    ///
    /// - Parameters:
    ///   - former: the snapshot of the last comparison; nil for the first one.
    ///   - team: the team's name.
    ///   - actor: the user who compares.
    ///   - date: the current time.
    /// - Returns: one activity for each new difference.
    package func news(
        since former: AccountSnapshot?,
        of team: String,
        by actor: String,
        at date: Date,
    ) -> [Activity] {
        differences.filter { difference in
            switch difference {
            case .disabledThere(let device): former?[device.udid] != .disabled
            case .removedThere(let device):
                former.map { $0[device.udid] != nil || device.stateSince > $0.date } ?? true
            case .waiting(let device, _):
                former?[device.udid] == nil || former?[device.udid] == .enabled
            case .onlyThere, .otherFamily, .noSlot, .unreadable: false
            }
        }.map { difference in
            Activity(
                date: date,
                actor: actor,
                event: .accountDiffers,
                subject: team,
                detail: "\(difference)",
            )
        }
    }
}
