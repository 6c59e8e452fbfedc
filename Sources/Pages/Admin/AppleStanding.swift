package import Foundation
package import Releases

/// A device's status in the developer account of its team, as of the last snapshot from Apple.
package struct AppleStanding: Sendable {
    /// Nil if the account does not have the device.
    package let status: AccountSnapshot.DeviceStatus?
    /// The time of the snapshot.
    package let date: Date

    package init(_ status: AccountSnapshot.DeviceStatus?, at date: Date) {
        self.status = status
        self.date = date
    }

    /// Returns a chip if the status differs from the register's state; nil otherwise.
    func chip(for device: Device) -> Chip? {
        switch (device.state, status) {
        case (.disabled, .enabled): Chip("Still enabled at Apple", tone: "warn")
        case (.disabled, _), (.invited, _), (.enrolled, _): nil
        case (_, .disabled): Chip("Disabled at Apple", tone: "bad")
        case (_, .processing): Chip("Processing at Apple", tone: "warn")
        case (_, .ineligible): Chip("Waiting at Apple", tone: "warn")
        case (_, .other): Chip("Not usable at Apple", tone: "warn")
        case (.registered, nil):
            // Devices registered after the snapshot are not in it yet.
            device.stateSince > date ? nil : Chip("Unknown to Apple", tone: "bad")
        case (_, .enabled), (_, nil): nil
        }
    }

    /// Returns whether the device's status in the developer account differs from the register.
    package func differs(from device: Device) -> Bool { chip(for: device) != nil }

    /// Returns the chip of the register's state beside that of Apple's status.
    func state(of device: Device) -> Chip {
        device.state == .approved && status != nil
            ? Chip("Approved", tone: "") : Chip(device.state)
    }

    /// Returns an explanation of the difference and what to do about it; nil if there is none.
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
