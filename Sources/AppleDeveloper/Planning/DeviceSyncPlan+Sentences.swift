import Bytes
import Identifiers
package import Releases

extension DeviceSyncPlan.Step: CustomStringConvertible {
    /// The planned action, as a clause.
    package var description: String {
        switch self {
        case .register(let device):
            "register \(quoted: device.shownName) with Apple, which uses one "
                + "\(device.family.title) slot"
        case .noteRegistered(let device):
            "mark \(quoted: device.shownName) as registered: the developer account already has it"
        case .rename(let device, let name):
            "rename \(quoted: device.shownName) at Apple to \(quoted: DeviceUDID.masked(in: name))"
        case .disable(let device):
            "disable \(quoted: device.shownName) at Apple; its slot stays in use until the membership renews"
        }
    }
}

extension DeviceSyncPlan.Difference: CustomStringConvertible {
    /// The difference, as a clause.
    package var description: String {
        switch self {
        case .disabledThere(let device):
            "\(quoted: device.shownName) is active here but disabled at Apple"
        case .removedThere(let device):
            "\(quoted: device.shownName) was registered but is no longer in the developer account"
        case .onlyThere(let device):
            "\(quoted: device.shownName) is in the developer account but not on this server"
        case .waiting(let device, .processing):
            "Apple is still processing \(quoted: device.shownName); profiles do not list it until then"
        case .waiting(let device, .ineligible):
            "Apple has put \(quoted: device.shownName) on hold for up to 72 hours"
        case .waiting(let device, _):
            "Apple reports an unknown status for \(quoted: device.shownName); profiles may not list it"
        case .otherFamily(let device, let family):
            "\(quoted: device.shownName) is \(Self.article(device.family.title)) here but "
                + "\(Self.article(family.title)) at Apple"
        case .noSlot(let device):
            "\(quoted: device.shownName) cannot be registered: no \(device.family.title) slot is left"
        case .unreadable(let device):
            "Apple lists \(quoted: device.shownName) with an identifier of an unknown format"
        }
    }

    /// How an admin can fix it, as an instruction.
    package var fix: String {
        switch self {
        case .disabledThere(let device):
            "enable it at developer.apple.com, or remove \(quoted: device.shownName) here"
        case .removedThere: "approve the device again to register it, or remove it here"
        case .onlyThere: "add it here if it belongs to a tester; otherwise nothing has to be done"
        case .waiting: "wait; the server checks again automatically"
        case .otherFamily: "enrol the device again, so that it reports its model"
        case .noSlot:
            "wait for the membership to renew, and then remove devices that are no longer used"
        case .unreadable: "check it at developer.apple.com; this server does not change it"
        }
    }

    private static func article(_ title: String) -> String {
        (title.hasPrefix("i") || title.hasPrefix("A") ? "an " : "a ") + title
    }
}

extension AccountDevice {
    /// The name for messages; some devices are named by their UDID, which is masked.
    package var shownName: String { DeviceUDID.masked(in: name) }
}

extension Device {
    /// The name for messages, which may come from Apple; a UDID is masked.
    package var shownName: String { DeviceUDID.masked(in: name) }
}
