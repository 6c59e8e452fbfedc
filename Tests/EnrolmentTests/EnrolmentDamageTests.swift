import Bytes
import Cryptography
import Enrolment
import Foundation
import Sample
import TestSupport
import Testing

struct EnrolmentDamageTests {
    @Test(arguments: SampleDevice.Form.allCases)
    func `no answer that is cut short is believed`(form: SampleDevice.Form) throws {
        let enrolling = try Enrolling()
        let answer = try enrolling.device.answer(challenge: enrolling.challenge, form: form)
        for prefix in SeededDamage.prefixes(of: answer) {
            let refusal = enrolling.refusal(of: prefix)
            #expect(refusal?.id == "enrolment.not-signed")
        }
        for extra in [[0], [0, 0], Array(answer)] as [[UInt8]] {
            #expect(enrolling.refusal(of: answer + extra) != nil)
        }
    }

    /// Bytes that no signature covers, such as the message's version or unneeded certificates, may change
    /// without harm; the device is then the one that signed.
    @Test(arguments: zip(SampleDevice.Form.allCases, [11, 12, 13] as [UInt64]))
    func `no flipped bytes make another device`(form: SampleDevice.Form, seed: UInt64) throws {
        let enrolling = try Enrolling()
        let answer = try enrolling.device.answer(challenge: enrolling.challenge, form: form)
        let genuine = try enrolling.verified(answer)
        let count = TestDepth.samples(300, long: 10_000)
        for damaged in SeededDamage.flips(of: answer, count: count, seed: seed) {
            do throws(EnrolmentRefusal) {
                let device = try enrolling.verified(damaged)
                #expect(device == genuine, "seed \(seed)")
            } catch {
                #expect(error.id.hasPrefix("enrolment."))
            }
        }
    }

    @Test(arguments: SampleDevice.Form.allCases)
    func `no changed byte of content, certificate or signature is believed`(
        form: SampleDevice.Form
    ) throws {
        let enrolling = try Enrolling()
        let answer = try enrolling.device.answer(challenge: enrolling.challenge, form: form)
        let certificate = enrolling.device.identity.certificate.der
        let covered = try [
            #require(answer.firstRange(of: Array(enrolling.device.udid.utf8))),
            #require(answer.firstRange(of: Array("iPhone15,2".utf8))),
            #require(answer.firstRange(of: certificate)),
            answer.count - 100..<answer.count,
        ]
        let step = TestDepth.samples(4, long: 1)
        for index in covered.joined()
        where index % step == 0 && (form != .indefinite || index < answer.count - 100) {
            var damaged = answer
            damaged[index] ^= 0x01
            #expect(enrolling.refusal(of: damaged) != nil, "byte \(index)")
        }
    }

    @Test func `signed content that is damaged is refused by name`() throws {
        let enrolling = try Enrolling()
        let content = enrolling.device.content(challenge: enrolling.challenge)
        var named: Set<String> = []
        for damaged in SeededDamage.flips(of: content, count: 300, seed: 21) {
            let answer = try enrolling.device.sign(damaged)
            do throws(EnrolmentRefusal) {
                let device = try enrolling.verified(answer)
                #expect(device.invitation == enrolling.invitation.identifier)
            } catch {
                named.insert(error.id)
            }
        }
        #expect(named.isSuperset(of: ["enrolment.unreadable", "enrolment.missing-field"]))
    }
}
