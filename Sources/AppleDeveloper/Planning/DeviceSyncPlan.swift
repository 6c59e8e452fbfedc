package import Identifiers
package import Releases

/// The differences between this server's devices and those of the developer account, and the steps to
/// reconcile them.
///
/// This server determines the devices and their names; the account determines which can be used. Manual
/// changes at Apple are reported and not reverted.
package struct DeviceSyncPlan: Sendable, Equatable {
    /// A change on this server or at Apple.
    package enum Step: Sendable, Equatable {
        /// The device is approved here and not in the account; registering it uses a slot.
        case register(Device)
        /// The account has the device already, but this server has not recorded that.
        case noteRegistered(Device)
        case rename(AccountDevice, to: String)
        /// The device is disabled here and enabled in the account; its slot stays used.
        case disable(AccountDevice)
    }

    /// A difference that an admin must resolve, or that resolves itself.
    package enum Difference: Sendable, Equatable {
        /// In use here, but disabled at Apple by hand.
        case disabledThere(Device)
        /// Registered here, but not in the account: it was removed when the membership was renewed.
        case removedThere(Device)
        /// In the account, but not on this server.
        case onlyThere(AccountDevice)
        /// Apple is still processing it; profiles omit it.
        case waiting(Device, AccountDevice.Status)
        case otherFamily(Device, ProductFamily)
        /// It should be registered, but no slot of its family is free.
        case noSlot(Device)
        /// Its UDID at Apple has an unknown form.
        case unreadable(AccountDevice)
    }

    /// In the order of execution: first records and changes, then registrations, which use slots.
    package let steps: [Step]
    package let differences: [Difference]

    package var isInAgreement: Bool { steps.isEmpty && differences.isEmpty }

    /// - Parameters:
    ///   - devices: this server's devices of the team.
    ///   - account: all devices of the developer account.
    package init(_ devices: [Device], comparedWith account: [AccountDevice]) {
        var notes: [Step] = []
        var changes: [Step] = []
        var registrations: [Step] = []
        var differences = account.filter { $0.udid == nil }.map { Difference.unreadable($0) }
        let there = Dictionary(
            account.compactMap { device in device.udid.map { ($0, device) } },
            uniquingKeysWith: Self.moreUsable,
        )
        var slots = AccountSlots(account)
        for device in devices.sorted(by: { ($0.name, $0.udid) < ($1.name, $1.udid) }) {
            guard let known = there[device.udid] else {
                switch device.state {
                case .approved where slots.take(device.family):
                    registrations.append(.register(device))
                case .approved: differences.append(.noSlot(device))
                case .registered: differences.append(.removedThere(device))
                case .invited, .enrolled, .disabled: break
                }
                continue
            }
            switch device.state {
            case .disabled:
                if known.status != .disabled { changes.append(.disable(known)) }
            case .approved, .registered:
                switch known.status {
                case .disabled: differences.append(.disabledThere(device))
                case .enabled:
                    if device.state == .approved { notes.append(.noteRegistered(device)) }
                case .processing, .ineligible, .other:
                    differences.append(.waiting(device, known.status))
                }
                if known.name != device.name { changes.append(.rename(known, to: device.name)) }
                if let family = known.family, family != device.family {
                    differences.append(.otherFamily(device, family))
                }
            case .invited, .enrolled: break
            }
        }
        let known = Set(devices.map(\.udid))
        differences += account.filter { $0.udid.map { !known.contains($0) } ?? false }
            .sorted { ($0.name, $0.id.rawValue) < ($1.name, $1.id.rawValue) }
            .map { .onlyThere($0) }
        steps = notes + changes + registrations
        self.differences = differences
    }

    /// Of two entries with the same UDID, the one that profiles include.
    private static func moreUsable(_ one: AccountDevice, _ other: AccountDevice) -> AccountDevice {
        one.status == .enabled ? one : other
    }
}
