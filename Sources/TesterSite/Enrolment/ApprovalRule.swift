import Bytes
import Enrolment
import Foundation
import Identifiers
import Releases
import Store

/// What the app that an invitation names says of a device that comes with it: the team whose account it
/// goes to, and whether it needs no admin.
///
/// An invitation admits as many devices as an admin has made it for and was given away by them, so
/// that anyone who has it is approved.
struct ApprovalRule: Sendable {
    /// What became of a device.
    enum Outcome {
        /// An admin has to approve it.
        case left
        /// It was approved; the activity that tells of that.
        case approved(Activity)
        /// It waits for an admin; the activity that says why.
        case refused(Activity)
    }

    private let app: AppRecord
    private let invitation: Invitation
    /// The team that the device belongs to; nil where there is only one to belong to.
    private let team: TeamIdentifier?

    /// Nil for an invitation to no app, or to one that is not there.
    ///
    /// - Parameters:
    ///   - invitation: what the device came with.
    ///   - store: where apps and teams are.
    /// - Throws: `StoreFailure`.
    init?(for invitation: Invitation, in store: OTAStore) throws {
        guard let app = try invitation.app.flatMap({ try store.app($0) }) else { return nil }
        self.app = app
        self.invitation = invitation
        let isOneOfSeveral =
            try app.team != nil && store.teams().count { $0.account != nil } > 1
        team = isOneOfSeveral ? app.team : nil
    }

    /// Does what follows from the rule, to a device that waits for approval.
    ///
    /// - Parameters:
    ///   - device: as it enrolled.
    ///   - register: has the device.
    ///   - date: now.
    /// - Returns: what became of it.
    func apply(
        to device: Device,
        in register: inout DeviceRegister,
        at date: Date,
    ) -> Outcome {
        if let team { register.assign(device.udid, to: team) }
        guard app.approval == .automatic else { return .left }
        // An admin who has disabled it since then did not mean this invitation to bring it back.
        let disabled = device.history.last { $0.state == .disabled }?.date
        if let disabled, invitation.created < disabled {
            return .refused(
                activity(
                    .approvalRefused,
                    device,
                    "it was disabled after this invitation",
                    at: date,
                )
            )
        }
        do {
            let rule = "rule of \(app.title)"
            let approved = try register.approve(device.udid, at: date, by: rule)
            return .approved(activity(.deviceApproved, approved, "by \(rule)", at: date))
        } catch {
            return .refused(activity(.approvalRefused, device, error.description, at: date))
        }
    }

    /// It names no app: who may only read the app does not learn the names of devices.
    private func activity(
        _ event: Activity.Event,
        _ device: Device,
        _ detail: String,
        at date: Date,
    ) -> Activity {
        Activity(
            date: date,
            actor: "ota",
            event: event,
            subject: device.name,
            detail: detail,
        )
    }
}
