import Enrolment
import Foundation
import TestSupport
import Testing

struct CodeAttemptsTests {
    private static let now = Enrolling.now

    private func isAdmitted(
        _ address: String,
        at date: Date,
        in attempts: inout CodeAttempts,
    ) -> Bool {
        do throws(InvitationRefusal) {
            try attempts.admit(from: address, at: date)
            return true
        } catch {
            return false
        }
    }

    @Test func `the sixth wrong code of an address waits`() {
        var attempts = CodeAttempts()
        for second in 0..<5 {
            #expect(isAdmitted("192.0.2.1", at: Self.now + Double(second), in: &attempts))
        }
        #expect(throws: InvitationRefusal.tooManyAttempts(wait: 890)) {
            try attempts.admit(from: "192.0.2.1", at: Self.now + 10)
        }
        #expect(isAdmitted("192.0.2.2", at: Self.now + 10, in: &attempts))
        #expect(!isAdmitted("192.0.2.1", at: Self.now + 899, in: &attempts))
        #expect(isAdmitted("192.0.2.1", at: Self.now + 900, in: &attempts))
        #expect(!isAdmitted("192.0.2.1", at: Self.now + 900.5, in: &attempts))
    }

    @Test func `a right code costs nothing`() {
        var attempts = CodeAttempts()
        for second in 0..<100 {
            #expect(isAdmitted("192.0.2.1", at: Self.now + Double(second), in: &attempts))
            attempts.forgive("192.0.2.1")
        }
        #expect(attempts.count == 0)
    }

    @Test(arguments: [
        ("2001:db8::1", "2001:db8::ffff:2", true), ("2001:db8::1", "2001:db8:0:1::1", false),
        ("::ffff:192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false),
        ("unknown", "unknown", true),
    ])
    func `addresses of one network count as one`(first: String, second: String, same: Bool) {
        var attempts = CodeAttempts()
        for _ in 0..<5 { #expect(isAdmitted(first, at: Self.now, in: &attempts)) }
        #expect(isAdmitted(second, at: Self.now, in: &attempts) == !same)
    }

    @Test func `a clock that is set back locks nobody out for long`() {
        var attempts = CodeAttempts()
        let future = Self.now + 365 * 86_400
        for _ in 0..<5 { #expect(isAdmitted("192.0.2.1", at: future, in: &attempts)) }
        #expect(isAdmitted("192.0.2.1", at: Self.now, in: &attempts))
    }
}
