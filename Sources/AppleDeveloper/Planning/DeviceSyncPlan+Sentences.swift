import Bytes
import Identifiers
import Releases

extension DeviceSyncPlan.Step: CustomStringConvertible {
    /// What will be done, as one clause.
    package var description: String {
        switch self {
        case .register(let device):
            "register \(quoted: device.name) with Apple, which takes one "
                + "\(device.family.title) slot"
        case .noteRegistered(let device):
            "note that the developer account has \(quoted: device.name)"
        case .rename(let device, let name):
            "rename \(quoted: device.name) at Apple to \(quoted: name)"
        case .disable(let device):
            "disable \(quoted: device.name) at Apple; its slot stays taken until the membership renews"
        }
    }
}

extension DeviceSyncPlan.Difference: CustomStringConvertible {
    /// What differs, as one clause.
    package var description: String {
        switch self {
        case .disabledThere(let device):
            "\(quoted: device.name) is in use here and was disabled at Apple"
        case .removedThere(let device):
            "\(quoted: device.name) was registered and is no longer in the developer account"
        case .onlyThere(let device):
            "\(quoted: device.name) is in the developer account and unknown here"
        case .waiting(let device, .processing):
            "Apple is still processing \(quoted: device.name); profiles leave it out until then"
        case .waiting(let device, .ineligible):
            "Apple lets \(quoted: device.name) wait, which takes up to 72 hours"
        case .waiting(let device, _):
            "Apple reports a state of \(quoted: device.name) that is not known; profiles may leave "
                + "it out"
        case .otherFamily(let device, let family):
            "\(quoted: device.name) is \(Self.article(device.family.title)) here and "
                + "\(Self.article(family.title)) at Apple"
        case .noSlot(let device):
            "\(quoted: device.name) cannot be registered: no \(device.family.title) slot is left"
        case .unreadable(let device):
            "the identifier of \(quoted: device.name) at Apple has no form that is known"
        }
    }

    /// What a person can do about it, as an instruction.
    package var fix: String {
        switch self {
        case .disabledThere(let device):
            "enable it at developer.apple.com, or remove \(quoted: device.name) here"
        case .removedThere: "approve the device again to register it, or remove it here"
        case .onlyThere: "add it here if it is a tester's; nothing is done about it otherwise"
        case .waiting: "wait; it is looked at again by itself"
        case .otherFamily: "let the device enrol again, so that it says what it is"
        case .noSlot:
            "wait for the membership to renew, and then remove devices that are no longer used"
        case .unreadable: "look at it at developer.apple.com; it is left alone here"
        }
    }

    private static func article(_ title: String) -> String {
        (title.hasPrefix("i") || title.hasPrefix("A") ? "an " : "a ") + title
    }
}
