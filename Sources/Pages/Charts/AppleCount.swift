package import Foundation
package import Identifiers
import Releases

/// How many slots of a device family are used in a developer account, as Apple counts them.
package struct AppleCount: Sendable {
    /// As ``DeviceSlots/team``.
    package let team: String?
    package let family: ProductFamily
    package let used: Int
    /// The time of the snapshot from Apple.
    package let date: Date

    package init(team: String?, family: ProductFamily, used: Int, at date: Date) {
        self.team = team
        self.family = family
        self.used = used
        self.date = date
    }

    /// Returns a sentence such as `Apple counts 14, 2 more than this register, as of 18 November 2026,
    /// 14:00 UTC`.
    func sentence(beside slots: DeviceSlots) -> String {
        let more = used - slots.used
        let difference =
            more == 0
            ? "as many as this register"
            : "\(abs(more)) \(more > 0 ? "more" : "fewer") than this register"
        return "Apple counts \(used), \(difference), as of \(Wording.moment(date))"
    }
}

extension [AppleCount] {
    /// Returns the sentence for these slots; nil if there is no snapshot.
    func sentence(beside slots: DeviceSlots) -> String? {
        first { $0.team == slots.team && $0.family == slots.family }?.sentence(beside: slots)
    }
}
