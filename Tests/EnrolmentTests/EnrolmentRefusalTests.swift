import Cryptography
import Enrolment
import Foundation
import PropertyLists
import Testing

struct EnrolmentRefusalTests {
    private static let enrolment: [EnrolmentRefusal] =
        [
            .tooLarge(limit: 1), .malformed(.notSignedData), .forged(.signatureInvalid),
            .forged(.untrustedRoot("secret")), .unreadable(MalformedPropertyList(.cycle)),
            .notFlat, .wrongChallenge, .expiredChallenge(Enrolling.now),
        ] + EnrolmentRefusal.Field.allCases.flatMap { [.missing($0), .invalid($0)] }

    private static let invitation: [InvitationRefusal] = [
        .unknown, .expired(Enrolling.now), .revoked, .used, .usedByThisDevice, .wrongCode,
        .tooManyAttempts(wait: 61), .tooManyOpen(limit: 1), .badName("x"),
        .badValidity(InvitationRegister.validities),
    ]

    @Test func `every refusal has a name, a reason and a way on`() {
        let all =
            Self.enrolment.map { ($0.id, $0.description, $0.fix) }
            + Self.invitation.map { ($0.id, $0.description, $0.nextStep) }
        for (identifier, reason, fix) in all {
            #expect(identifier.contains("."))
            #expect(reason.first?.isLowercase == true || reason.first?.isNumber == true)
            #expect(!reason.hasSuffix("."))
            #expect(fix.first?.isUppercase == true)
            #expect(fix.hasSuffix("."))
        }
        #expect(Set(Self.invitation.map(\.id)).count == Self.invitation.count)
    }

    @Test func `what a stranger wrote is in no sentence`() {
        let strange: [EnrolmentRefusal] = [
            .forged(.untrustedRoot("00008120-SECRET")), .forged(.unexpectedSigner("SECRET")),
            .forged(.unknownCriticalExtension(.data, of: "SECRET")),
            .unreadable(MalformedPropertyList(.duplicateKey("SECRET"))),
            .unreadable(MalformedPropertyList(.xml(line: 1, column: 1, what: "SECRET"))),
            .malformed(.certificate(.notACertificate(reason: "SECRET"))),
        ]
        for refusal in strange {
            #expect(!"\(refusal) \(refusal.fix) \(refusal.id)".contains("SECRET"))
        }
    }

    @Test(arguments: [
        (1, "a minute"), (60, "a minute"), (61, "2 minutes"), (900, "15 minutes"),
    ])
    func `a wait is told in minutes`(seconds: Int, words: String) {
        #expect(InvitationRefusal.tooManyAttempts(wait: seconds).nextStep.contains("in \(words)."))
    }
}
