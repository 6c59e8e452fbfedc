import Bytes
import Enrolment
import Foundation
import Sample
import TestSupport
import Testing

struct ChallengeTests {
    private static let now = Enrolling.now

    private func refusal(
        answering challenge: String,
        in enrolling: Enrolling,
        at date: Date = now + 60,
    ) throws -> EnrolmentRefusal? {
        try enrolling.refusal(of: enrolling.device.answer(challenge: challenge), at: date)
    }

    @Test func `a challenge holds for a quarter of an hour`() throws {
        let enrolling = try Enrolling()
        let end = Self.now + 900
        #expect(try refusal(answering: enrolling.challenge, in: enrolling, at: end - 1) == nil)
        #expect(
            try refusal(answering: enrolling.challenge, in: enrolling, at: end)
                == .expiredChallenge(end)
        )
    }

    @Test func `a challenge ends with its invitation`() throws {
        let enrolling = try Enrolling()
        var generator = SeededGenerator(seed: 3)
        let end = enrolling.invitation.expires
        let late = enrolling.challenges.challenge(
            for: enrolling.invitation,
            at: end - 10,
            using: &generator,
        )
        #expect(try refusal(answering: late, in: enrolling, at: end - 1) == nil)
        #expect(try refusal(answering: late, in: enrolling, at: end) == .expiredChallenge(end))
    }

    @Test func `two profiles of one invitation have different challenges`() throws {
        let enrolling = try Enrolling()
        var generator = SeededGenerator(seed: 4)
        let second = enrolling.challenges.challenge(
            for: enrolling.invitation,
            at: Self.now,
            using: &generator,
        )
        #expect(second != enrolling.challenge)
        #expect(try refusal(answering: second, in: enrolling) == nil)
        #expect(try refusal(answering: enrolling.challenge, in: enrolling) == nil)
    }

    @Test func `a challenge of another invitation is refused`() throws {
        let enrolling = try Enrolling()
        var generator = SeededGenerator(seed: 5)
        var register = InvitationRegister()
        let other = try register.invite(
            InvitationDraft(name: "Ben", by: "admin"),
            at: Self.now,
            using: &generator,
        ).invitation
        let foreign = enrolling.challenges.challenge(
            for: other,
            at: Self.now,
            using: &generator,
        )
        #expect(try refusal(answering: foreign, in: enrolling) == .wrongChallenge)
    }

    @Test func `a challenge under another key is refused`() throws {
        let enrolling = try Enrolling()
        var generator = SeededGenerator(seed: 6)
        let foreign = ChallengeAuthority(key: [UInt8](repeating: 8, count: 32)).challenge(
            for: enrolling.invitation,
            at: Self.now,
            using: &generator,
        )
        #expect(try refusal(answering: foreign, in: enrolling) == .wrongChallenge)
    }

    @Test func `every change of a single digit is refused`() throws {
        let enrolling = try Enrolling()
        let digits = Array(enrolling.challenge.utf8)
        for index in digits.indices {
            var changed = digits
            changed[index] =
                changed[index] == UInt8(ascii: "0") ? UInt8(ascii: "1") : UInt8(ascii: "0")
            let text = String(decoding: changed, as: UTF8.self)
            #expect(try refusal(answering: text, in: enrolling) == .wrongChallenge)
        }
    }

    @Test func `another spelling of a challenge is refused`() throws {
        let enrolling = try Enrolling()
        let challenge = enrolling.challenge
        for text in [
            "", challenge.uppercased(), challenge + "00", challenge + " ", " " + challenge,
            String(challenge.dropLast(2)), String(challenge.dropLast()),
            String(repeating: "é", count: 56), String(repeating: "0", count: 112),
            String(repeating: "f", count: 112),
        ] {
            #expect(try refusal(answering: text, in: enrolling) == .wrongChallenge)
        }
    }

    @Test func `an answer that is posted for another invitation is refused`() throws {
        let enrolling = try Enrolling()
        var generator = SeededGenerator(seed: 7)
        var register = InvitationRegister()
        let other = try register.invite(
            InvitationDraft(name: "Ben", by: "admin"),
            at: Self.now,
            using: &generator,
        ).invitation
        let answer = try EnrolmentAnswer(
            reading: enrolling.device.answer(challenge: enrolling.challenge)
        )
        #expect(throws: EnrolmentRefusal.wrongChallenge) {
            try answer.verified(
                by: enrolling.challenges,
                for: other.identifier,
                anchors: enrolling.anchors,
                at: Self.now,
            )
        }
    }

    @Test func `an answer that is posted again finds its invitation used`() throws {
        let enrolling = try Enrolling()
        var generator = SeededGenerator(seed: 1)
        var register = InvitationRegister()
        let invitation = try register.invite(
            InvitationDraft(name: "Ana", by: "admin"),
            at: Self.now,
            using: &generator,
        ).invitation
        #expect(invitation.identifier == enrolling.invitation.identifier)
        let device = try enrolling.verified(
            enrolling.device.answer(challenge: enrolling.challenge)
        )
        _ = try register.consume(device.invitation, by: device.udid, at: Self.now + 60)
        let once = register
        #expect(throws: InvitationRefusal.usedByThisDevice) {
            try register.consume(device.invitation, by: device.udid, at: Self.now + 61)
        }
        var second = enrolling.device
        second.udid = SampleDevices.unlisted
        let replayed = try enrolling.verified(second.answer(challenge: enrolling.challenge))
        #expect(throws: InvitationRefusal.used) {
            try register.consume(replayed.invitation, by: replayed.udid, at: Self.now + 62)
        }
        #expect(register == once)
    }
}
