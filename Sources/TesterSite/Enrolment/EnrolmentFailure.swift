import Enrolment
import Foundation
import Pages
import Problems
import Releases

/// A failure that a tester can meet without doing anything wrong, by its identifier: all that the
/// address of the result carries.
struct EnrolmentFailure {
    let problem: PageProblem

    init?(identifier: String) {
        let message: String
        let fix: String
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
        problem = PageProblem(id: identifier, message: message, fix: fix)
    }

    /// The refusal as the invitation's own link shows it: with the day on which it expired, which
    /// the address of a result does not carry.
    static func problem(of refusal: InvitationRefusal) -> PageProblem {
        guard case .expired(let date) = refusal else { return PageProblem(refusal.problem) }
        return PageProblem(
            id: refusal.id,
            message: "The invitation expired on \(Wording.day(date)).",
            fix: refusal.nextStep,
        )
    }
}

extension EnrolmentRefusal {
    /// Whether an honest phone can run into it.
    var isInGoodFaith: Bool { EnrolmentFailure(identifier: id) != nil }
}
