import Bytes
import Releases

extension RenewalPlan.Reason: CustomStringConvertible {
    /// The reason, as a clause.
    package var description: String {
        switch self {
        case .none: "this server has not created a profile for it yet"
        case .missing(let names): "the profile does not list \(quoted: names)"
        case .surplus(let count):
            "the profile lists \(Wording.count(count, "device")) no longer in use"
        case .expires(let date): "the profile expires on \(Wording.day(date))"
        case .invalid: "Apple reports that the profile is no longer valid"
        case .otherCertificate: "the profile is for another certificate"
        }
    }
}

extension RenewalPlan.Obstacle: CustomStringConvertible {
    /// The obstacle, as a clause.
    package var description: String {
        switch self {
        case .noAppID: "the team has no App ID for it"
        case .noCertificate:
            "the certificate of this server is no longer in the developer account"
        case .certificateEnded(let date):
            "the certificate of this server expired on \(Wording.day(date))"
        case .noDevices: "none of the devices is enabled in the developer account"
        case .tooManyDevices(let count): "no profile can list \(Wording.count(count, "device"))"
        }
    }

    /// How an admin can fix it, as an instruction.
    package var fix: String {
        switch self {
        case .noAppID: "register the App ID at developer.apple.com, or use the team that owns it"
        case .noCertificate, .certificateEnded:
            "let this server create a certificate, or add another identity to the team"
        case .noDevices: "register a device, or wait until Apple has processed one"
        case .tooManyDevices: "leave out devices that do not need the app"
        }
    }
}

extension RenewalPlan.Entry: CustomStringConvertible {
    /// The planned action for the bundle, as a clause.
    package var description: String {
        let later =
            waiting.isEmpty
            ? ""
            : "; \(Wording.count(waiting.count, "device")) will follow when Apple has processed \(waiting.count == 1 ? "it" : "them")"
        return switch step {
        case .keep(let listed):
            "keep the profile of \(bundle)"
                + (listed.profile.expires.map { ", which expires on \(Wording.day($0))" } ?? "")
                + later
        case .make(let devices, let reasons, _):
            "create a profile for \(bundle) with \(Wording.count(devices.count, "device")), because "
                + reasons.map(\.description).joined(separator: " and ") + later
        case .cannot(let obstacle): "no profile can be created for \(bundle): \(obstacle)"
        }
    }
}
