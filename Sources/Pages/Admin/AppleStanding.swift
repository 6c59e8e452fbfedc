package import Foundation
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

    /// Whether the developer account has the device otherwise than the register.
    package func differs(from device: Device) -> Bool { chip(for: device) != nil }

    /// The state in the register, as it is said beside what Apple says.
    func state(of device: Device) -> Chip {
        device.state == .approved && status != nil
            ? Chip("Approved", tone: "") : Chip(device.state)
    }

    /// What an admin has to know about the difference, and what to do; nil where there is none.
    func advice(for device: Device) -> String? {
        guard chip(for: device) != nil else { return nil }
        return switch (device.state, status) {
        case (.disabled, _):
            "It is disabled here, and will be disabled at Apple at the next comparison."
        case (_, .disabled):
            "Someone disabled it in the developer account. Enable it there, or disable it here."
        case (_, .processing), (_, .ineligible):
            "Apple can take up to 72 hours for new devices. Profiles leave it out until then."
        case (_, .other): "Apple reports a state that is not documented."
        case (_, nil):
            "The developer account no longer has it. Disable and enable it here to register it "
                + "again, or disable it."
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
