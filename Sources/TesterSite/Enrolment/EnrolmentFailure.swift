import Enrolment
import Foundation
import Pages
import Problems

/// A failure that a tester can meet without doing anything wrong; the URL of the result contains only its
/// identifier.
struct EnrolmentFailure {
    private static let identifiers: Set<String> = [
        InvitationRefusal.expired(.distantPast).id, InvitationRefusal.revoked.id,
        InvitationRefusal.used.id, InvitationRefusal.full.id, InvitationRefusal.usedByThisDevice.id,
        EnrolmentRefusal.expiredChallenge(.distantPast).id, EnrolmentRefusal.wrongChallenge.id,
        EnrolmentRefusal.invalid(.udid).id, "device.too-many-pending",
    ]

    private let identifier: String

    init?(identifier: String) {
        guard Self.identifiers.contains(identifier) else { return nil }
        self.identifier = identifier
    }

    func problem(in words: Words) -> PageProblem { PageProblem(identifier, in: words) }

    /// Returns the problem as the invitation's own link shows it: with the day of expiry, which the URL
    /// of a result does not contain.
    static func problem(of refusal: InvitationRefusal, in words: Words) -> PageProblem {
        let problem = PageProblem(refusal.id, in: words)
        switch refusal {
        case .expired(let date):
            return PageProblem(
                id: refusal.id,
                message: words.text(
                    "problem.invitation.expired.on",
                    ["date": words.day(date)],
                ),
                fix: problem.fix,
            )
        case .tooManyAttempts(let wait):
            return PageProblem(
                id: refusal.id,
                message: problem.message,
                fix: words.text(
                    "problem.invitation.too-many-attempts.fix",
                    count: max(1, (wait + 59) / 60),
                ),
            )
        case .revoked, .used, .full, .usedByThisDevice, .wrongCode: return problem
        case .unknown, .tooManyOpen, .tooManyPlaces, .tooManyGroups, .badName, .badPlaces,
            .badValidity:
            return PageProblem(refusal.problem)
        }
    }
}

extension EnrolmentRefusal {
    /// Whether an honest phone can cause it.
    var isInGoodFaith: Bool { EnrolmentFailure(identifier: id) != nil }
}
