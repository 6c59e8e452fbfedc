package import Identifiers
package import Releases

/// How the device register and the developer account differ, and what makes them agree.
///
/// The register decides which devices there are and what they are called; the account decides what may
/// be used. What a person did by hand at Apple is reported and not undone.
package struct DeviceSyncPlan: Sendable, Equatable {
    /// A change, here or at Apple.
    package enum Step: Sendable, Equatable {
        /// Approved here and unknown there; takes a slot.
        case register(Device)
        /// Both have it, and the register did not know that yet.
        case noteRegistered(Device)
        case rename(AccountDevice, to: String)
        /// Taken out of use here and still in use there; its slot stays taken.
        case disable(AccountDevice)
    }

    /// A difference that a person has to judge, or that goes away by itself.
    package enum Difference: Sendable, Equatable {
        /// In use here, and disabled at Apple by hand.
        case disabledThere(Device)
        /// Here as registered, and not in the account: a person removed it at the membership's renewal.
        case removedThere(Device)
        /// In the account, and unknown here.
        case onlyThere(AccountDevice)
        /// Apple has not finished with it; profiles leave it out.
        case waiting(Device, AccountDevice.Status)
        case otherFamily(Device, ProductFamily)
        /// It would have to be registered, and no slot of its family is left.
        case noSlot(Device)
        /// Apple's identifier has no form that is known here.
        case unreadable(AccountDevice)
    }

    /// In the order in which they should be done: what frees or notes first, what takes slots last.
    package let steps: [Step]
    package let differences: [Difference]

    package var isInAgreement: Bool { steps.isEmpty && differences.isEmpty }

    /// - Parameters:
    ///   - devices: of the register, those of the team.
    ///   - account: every device of the developer account.
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

    /// Of two entries of one identifier the one that profiles take.
    private static func moreUsable(_ one: AccountDevice, _ other: AccountDevice) -> AccountDevice {
        one.status == .enabled ? one : other
    }
}
