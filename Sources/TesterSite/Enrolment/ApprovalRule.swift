import Bytes
import Enrolment
import Foundation
import Identifiers
import Releases
import Store

/// What the app of an invitation decides about a device: the team that the device belongs to, and whether
/// it needs no admin's approval.
///
/// Only an admin creates an invitation, for a limited number of devices, and gives it away, so every
/// device that has it can be approved.
struct ApprovalRule: Sendable {
    /// The result for a device.
    enum Outcome {
        /// An admin has to approve it.
        case left
        /// It was approved; the activity that records this.
        case approved(Activity)
        /// It waits for an admin; the activity that records why.
        case refused(Activity)
    }

    private let app: AppRecord
    private let invitation: Invitation
    /// The team that the device belongs to; nil if there is only one team with an account.
    private let team: TeamIdentifier?

    /// Creates the rule; nil for an invitation without an app, or with an app that does not exist.
    ///
    /// - Parameters:
    ///   - invitation: the device's invitation.
    ///   - store: stores apps and teams.
    /// - Throws: `StoreFailure`.
    init?(for invitation: Invitation, in store: OTAStore) throws {
        guard let app = try invitation.app.flatMap({ try store.app($0) }) else { return nil }
        self.app = app
        self.invitation = invitation
        let isOneOfSeveral =
            try app.team != nil && store.teams().count { $0.account != nil } > 1
        team = isOneOfSeveral ? app.team : nil
    }

    /// Applies the rule to a device that waits for approval.
    ///
    /// - Parameters:
    ///   - device: the device, as it enrolled.
    ///   - register: the register, which contains the device.
    ///   - date: the current time.
    /// - Returns: the result.
    func apply(
        to device: Device,
        in register: inout DeviceRegister,
        at date: Date,
    ) -> Outcome {
        if let team { register.assign(device.udid, to: team) }
        guard app.approval == .automatic else { return .left }
        // An admin who has disabled the device since then did not mean this invitation to enable it
        // again.
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

    /// Names no app, because users who may only read the app must not learn devices' names.
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
