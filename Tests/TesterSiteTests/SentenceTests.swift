import Enrolment
import Foundation
import Pages
import TeamUpkeep
import Testing

@testable import TesterSite

/// Sentences whose keys are composed of identifiers.
struct SentenceTests {
    @Test(arguments: DeviceProgress.Reason.allCases)
    func `there is a sentence for every reason why a device waits`(reason: DeviceProgress.Reason) {
        #expect(Words.english.has("progress.\(reason.rawValue)"))
    }

    @Test(arguments: [
        InvitationRefusal.expired(.distantPast).id, InvitationRefusal.revoked.id,
        InvitationRefusal.used.id, InvitationRefusal.usedByThisDevice.id,
        EnrolmentRefusal.expiredChallenge(.distantPast).id, EnrolmentRefusal.wrongChallenge.id,
        EnrolmentRefusal.invalid(.udid).id, "device.too-many-pending",
    ])
    func `there is a sentence for every failure that a tester can meet`(id: String) throws {
        let failure = try #require(EnrolmentFailure(identifier: id))
        let problem = failure.problem(in: .english)
        #expect(Words.english.has("problem.\(id)") && Words.english.has("problem.\(id).fix"))
        #expect(problem.message.hasSuffix(".") && problem.fix?.hasSuffix(".") == true)
    }
}
