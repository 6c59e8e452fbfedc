import Bytes
package import Essentials
package import Problems

/// The reason why an invitation cannot be created, or does not admit a device.
package enum InvitationRefusal: ReportableError, Equatable {
    case unknown
    case expired(Date)
    case revoked
    case used
    /// All places of an invitation for many are taken.
    case full
    /// This device has already enrolled with the invitation.
    case usedByThisDevice
    /// Wrong, entered before, or expired: one case for all, so that guessing reveals nothing.
    case wrongCode
    /// The wait is in whole seconds until another code may be entered.
    case tooManyAttempts(wait: Int)
    case tooManyOpen(limit: Int)
    /// The number of devices is outside this range.
    case badPlaces(ClosedRange<Int>)
    case tooManyPlaces(limit: Int)
    case tooManyGroups(limit: Int)
    case badName(String)
    case badValidity(ClosedRange<TimeInterval>)

    package var kind: Problem.Kind {
        switch self {
        case .unknown: .notFound
        case .badName, .badValidity, .badPlaces, .tooManyGroups: .invalid
        case .expired, .revoked, .used, .full, .usedByThisDevice: .gone
        case .tooManyOpen, .tooManyPlaces: .conflict
        case .wrongCode: .refused
        case .tooManyAttempts: .tooMany
        }
    }

    /// The stable identifier for scripts and logs.
    package var id: String {
        switch self {
        case .unknown: "invitation.unknown"
        case .expired: "invitation.expired"
        case .revoked: "invitation.revoked"
        case .used: "invitation.used"
        case .full: "invitation.full"
        case .badPlaces: "invitation.bad-uses"
        case .tooManyPlaces: "invitation.too-many-uses"
        case .tooManyGroups: "invitation.too-many-groups"
        case .usedByThisDevice: "invitation.used-by-this-device"
        case .wrongCode: "invitation.wrong-code"
        case .tooManyAttempts: "invitation.too-many-attempts"
        case .tooManyOpen: "invitation.too-many-open"
        case .badName: "invitation.bad-name"
        case .badValidity: "invitation.bad-validity"
        }
    }

    package var description: String {
        switch self {
        case .unknown: "there is no such invitation"
        case .expired(let date): "the invitation expired at \(date.ISO8601Format())"
        case .revoked: "the invitation was revoked"
        case .used: "the invitation was used by another device"
        case .full: "all places of this invitation are taken"
        case .badPlaces(let range):
            "an invitation can be for \(range.lowerBound) to \(range.upperBound) devices"
        case .tooManyPlaces(let limit):
            "the open invitations would be for more than \(limit.grouped) devices"
        case .tooManyGroups(let limit):
            "the devices of an invitation can join at most \(limit) groups"
        case .usedByThisDevice: "this device has already enrolled with the invitation"
        case .wrongCode: "the code is wrong, already used, or older than 15 minutes"
        case .tooManyAttempts: "too many wrong codes were entered"
        case .tooManyOpen(let limit): "\(limit) invitations are already open"
        case .badName(let name):
            "the name \(quoted: name) must be 1 to \(InvitationRegister.nameLimit) printable "
                + "characters without tabs or outer spaces"
        case .badValidity: "an invitation can be valid for 15 minutes to 90 days"
        }
    }

    /// What an admin has to do.
    package var fix: String {
        switch self {
        case .unknown, .expired, .revoked, .used, .full:
            "see `ota devices invitations` for those that are open"
        default: nextStep
        }
    }

    package var pageFix: String? { nextStep }

    /// What the tester, or in the last cases the admin, has to do, as a page shows it.
    package var nextStep: String {
        switch self {
        case .unknown:
            "Check that you opened the whole link that your team sent, or ask for a new one."
        case .expired, .revoked, .full: "Ask your team for a new invitation."
        case .used:
            "Each invitation is for one device. Ask your team for another one for this device."
        case .usedByThisDevice: "Nothing more to do: open the page of the app and tap Install."
        case .wrongCode: "Check the six-digit code, open the link instead, or ask for a new code."
        case .tooManyAttempts(let wait):
            "Open the link of the invitation, or try again in "
                + (wait <= 60 ? "a minute." : "\((wait + 59) / 60) minutes.")
        case .tooManyOpen: "Revoke invitations that will not be used."
        case .badPlaces: "Give a number of devices, such as 50."
        case .tooManyPlaces: "Revoke invitations that will not be used, or make this one smaller."
        case .tooManyGroups: "Name fewer groups."
        case .badName: "Choose another name, such as Ana's iPhone."
        case .badValidity: "Give a duration such as 7d."
        }
    }
}
