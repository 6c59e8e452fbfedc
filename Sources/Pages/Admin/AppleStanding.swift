package import Foundation
package import Identifiers
package import Releases

/// How a device stands in the developer account of its team, as Apple said last.
package struct AppleStanding: Sendable {
    /// Nil where the account does not have the device.
    package let status: AccountSnapshot.DeviceStatus?
    /// When Apple was asked.
    package let date: Date

    package init(_ status: AccountSnapshot.DeviceStatus?, at date: Date) {
        self.status = status
        self.date = date
    }

    /// What the state in the register does not tell already; nil for nothing.
    func chip(for device: Device) -> Chip? {
        switch (device.state, status) {
        case (.disabled, .enabled): Chip("Still enabled at Apple", tone: "warn")
        case (.disabled, _), (.invited, _), (.enrolled, _): nil
        case (_, .disabled): Chip("Disabled at Apple", tone: "bad")
        case (_, .processing): Chip("Processing at Apple", tone: "warn")
        case (_, .ineligible): Chip("Waiting at Apple", tone: "warn")
        case (_, .other): Chip("Not usable at Apple", tone: "warn")
        case (.registered, nil):
            // What was registered since was not asked about yet.
            device.stateSince > date ? nil : Chip("Unknown to Apple", tone: "bad")
        case (_, .enabled), (_, nil): nil
        }
    }

    /// What an admin has to know about the difference, and what to do; nil where there is none.
    func advice(for device: Device) -> String? {
        guard chip(for: device) != nil else { return nil }
        return switch (device.state, status) {
        case (.disabled, _):
            "It is disabled here, and is disabled at Apple with the next comparison."
        case (_, .disabled):
            "Someone disabled it in the developer account. Enable it there, or disable it here."
        case (_, .processing), (_, .ineligible):
            "Apple can take up to 72 hours for new devices. Profiles leave it out until then."
        case (_, .other): "Apple reports a state that is not documented."
        case (_, nil):
            "The developer account does not have it any more. Disable and enable it here to register "
                + "it again, or disable it."
        case (_, .enabled): nil
        }
    }

    /// `Enabled, as of 18 November 2026, 14:00 UTC`.
    var words: String {
        let state =
            switch status {
            case .enabled: "Enabled"
            case .disabled: "Disabled"
            case .processing: "Processing"
            case .ineligible: "Ineligible for now"
            case .other: "In an undocumented state"
            case nil: "Unknown"
            }
        return "\(state), as of \(Wording.moment(date))"
    }
}

/// How many slots of one family a developer account has used, as Apple counts.
package struct AppleCount: Sendable {
    /// As ``DeviceSlots/team``.
    package let team: String?
    package let family: ProductFamily
    package let used: Int
    /// When Apple was asked.
    package let date: Date

    package init(team: String?, family: ProductFamily, used: Int, at date: Date) {
        self.team = team
        self.family = family
        self.used = used
        self.date = date
    }

    /// `Apple counts 14, 2 more than this register, as of 18 November 2026, 14:00 UTC`.
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
    /// What Apple counts of the same budget; nil where it was not asked.
    func sentence(beside slots: DeviceSlots) -> String? {
        first { $0.team == slots.team && $0.family == slots.family }?.sentence(beside: slots)
    }
}
