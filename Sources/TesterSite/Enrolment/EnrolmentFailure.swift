import Enrolment
import Foundation
import Releases

/// A failure that a tester can meet without doing anything wrong, by its identifier: all that the
/// address of the result carries.
struct EnrolmentFailure {
    let message: String
    let fix: String

    init?(identifier: String) {
        switch identifier {
        case "invitation.expired":
            message = "The invitation has expired."
            fix = InvitationRefusal.revoked.nextStep
        case "device.too-many-pending":
            message = "Too many devices are already waiting for approval."
            fix = "Ask your team to review them, then open the invitation again."
        default:
            let invitations: [InvitationRefusal] = [.revoked, .used, .usedByThisDevice]
            let answers: [EnrolmentRefusal] = [
                .expiredChallenge(.distantPast), .wrongChallenge, .invalid(.udid),
                .invalid(.product),
            ]
            let known =
                invitations.map { ($0.id, "\($0)", $0.nextStep) }
                + answers.map { ($0.id, "\($0)", $0.fix) }
            guard let found = known.first(where: { $0.0 == identifier }) else { return nil }
            message = Wording.sentence(found.1)
            fix = found.2
        }
    }
}

extension EnrolmentRefusal {
    /// Whether an honest phone can run into it.
    var isInGoodFaith: Bool { EnrolmentFailure(identifier: id) != nil }
}
