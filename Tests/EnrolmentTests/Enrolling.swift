import Bundles
import Cryptography
import Enrolment
import Foundation
import Sample
import TestSupport

/// An invitation, a device, and the authority that certified it.
struct Enrolling: Sendable {
    static let now = Date(timeIntervalSince1970: 1_800_000_000)
    static let key = [UInt8](repeating: 7, count: 32)
    static let authority = Result { try DeviceAuthority() }

    let authority: DeviceAuthority
    let device: SampleDevice
    let challenges = ChallengeAuthority(key: Self.key)
    let invitation: Invitation
    let challenge: String

    init() throws {
        authority = try Self.authority.get()
        device = try SampleDevice(certifiedBy: authority)
        var generator = SeededGenerator(seed: 1)
        var register = InvitationRegister()
        invitation = try register.invite(
            InvitationDraft(name: "Ana", by: "admin"),
            at: Self.now,
            using: &generator,
        ).invitation
        challenge = challenges.challenge(for: invitation, at: Self.now, using: &generator)
    }

    var anchors: TrustAnchors { .appleDevices.adding([authority.anchor]) }

    /// The device that a response proves.
    func verified(
        _ answer: [UInt8],
        anchors: TrustAnchors? = nil,
        at date: Date = Self.now + 60,
    ) throws(EnrolmentRefusal) -> EnrolledDevice {
        try EnrolmentAnswer(reading: answer).verified(
            by: challenges,
            for: invitation.identifier,
            anchors: anchors ?? self.anchors,
            at: date,
        )
    }

    /// The reason for which a response is refused; nil if it is accepted.
    func refusal(
        of answer: [UInt8],
        anchors: TrustAnchors? = nil,
        at date: Date = Self.now + 60,
    ) -> EnrolmentRefusal? {
        do throws(EnrolmentRefusal) {
            _ = try verified(answer, anchors: anchors, at: date)
            return nil
        } catch {
            return error
        }
    }
}
