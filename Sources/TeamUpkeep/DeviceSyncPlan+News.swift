package import AppleDeveloper
package import Essentials
import Identifiers
package import Releases

extension DeviceSyncPlan {
    /// What differs since Apple was asked before, for admins.
    ///
    /// The code that replaces the snapshot records it, because the next comparison finds nothing new.
    ///
    /// - Parameters:
    ///   - former: what Apple said before; nil for the first comparison.
    ///   - team: its name.
    ///   - actor: who compares.
    ///   - date: now.
    /// - Returns: one activity for each difference that is new.
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
