import Foundation
import Notices
import Testing

/// Which reminder is due, with clocks that run, jump and are set back.
struct ReminderTests {
    private static let day: TimeInterval = 86_400
    private let begins = Date(timeIntervalSince1970: 1_800_000_000)
    private var expires: Date { begins.addingTimeInterval(365 * Self.day) }

    /// The reminders at these numbers of days before the end, in this order.
    private func told(at daysLeft: [Double], lifetime: Double = 365) -> [Int] {
        var reminders = Reminders()
        let begins = expires.addingTimeInterval(-lifetime * Self.day)
        return daysLeft.compactMap { left in
            let now = expires.addingTimeInterval(-left * Self.day)
            let due = reminders.due(begins: begins, expires: expires, at: now)
            if let due { reminders.tell(due, at: now) }
            return due
        }
    }

    @Test func `each threshold is told once while time goes by`() {
        let hours = (0...(24 * 45)).map { 40 - Double($0) / 24 }
        #expect(told(at: hours) == [30, 14, 7, 3, 1, 0])
    }

    @Test func `nothing is told a second before a threshold, and it is told at its second`() {
        let second = 1 / Self.day
        #expect(told(at: [30 + second]).isEmpty)
        #expect(told(at: [30]) == [30])
        #expect(told(at: [second]) == [1])
        #expect(told(at: [0]) == [0])
    }

    @Test(arguments: [(25.0, 30), (13.0, 14), (5.0, 7), (2.5, 3), (0.5, 1), (-90.0, 0)])
    func `after a pause only the most urgent is told`(daysLeft: Double, threshold: Int) {
        #expect(told(at: [daysLeft, daysLeft, daysLeft]) == [threshold])
    }

    @Test func `a clock that goes back and forth by a day tells nothing twice or out of order`() {
        #expect(told(at: [6.5, 7.5, 6.5, 7.4, 6.4, 3.5, 2.9, 3.9, 2.9]) == [7, 3])
    }

    @Test func `a clock that is set back years tells nothing`() {
        #expect(told(at: [13, 3650, 2000, 13, 6]) == [14, 7])
    }

    @Test
    func `a clock that ran ten years ahead keeps no reminder from being notified, nor the end`() {
        #expect(
            told(at: [40, -3650, 39, 29, 13, 6, 2, 0.5, -0.1, -3650]) == [0, 30, 14, 7, 3, 1, 0]
        )
    }

    @Test func `a jump of four hundred days and back repeats nothing that came in its time`() {
        #expect(told(at: [365, -35, 365, 25, 10, -1, -1, -35, -36]) == [0, 30, 14, 0])
    }

    @Test func `a clock that flips between two years notifies each end of them once`() {
        let flips: [Double] = (0..<100).map { $0.isMultiple(of: 2) ? -35 : -1 }
        #expect(told(at: flips) == [0, 0])
    }

    @Test func `a change to summer time moves nothing`() throws {
        // Berlin loses an hour at 01:00 UTC on 28 March 2027; the thirty days end at the same second.
        let style = Date.ISO8601FormatStyle(timeZone: .gmt)
        let expires = try style.parse("2027-04-11T00:30:00Z")
        let start = try style.parse("2027-03-12T00:29:59Z")
        let reminders = Reminders()
        #expect(reminders.due(begins: begins, expires: expires, at: start) == nil)
        let due = reminders.due(begins: begins, expires: expires, at: start.addingTimeInterval(1))
        #expect(due == 30)
    }

    @Test func `a leap day is a day`() throws {
        let style = Date.ISO8601FormatStyle(timeZone: .gmt)
        let expires = try style.parse("2028-03-01T12:00:00Z")
        let day = try style.parse("2028-02-29T12:00:00Z")
        let begins = try style.parse("2027-03-01T12:00:00Z")
        #expect(Reminders().due(begins: begins, expires: expires, at: day) == 1)
        #expect(Reminders().due(begins: begins, expires: expires, at: day - 1) == 3)
    }

    @Test func `what lives for days is not reported as soon as it is made`() {
        #expect(told(at: [7, 6.9, 3, 1, 0], lifetime: 7) == [3, 1, 0])
        #expect(told(at: [1, 0.5, 0], lifetime: 1) == [0])
    }

    @Test func `what was told survives the document`() throws {
        var reminders = Reminders()
        reminders.tell(14, at: expires.addingTimeInterval(-13 * Self.day))
        let copy = try JSONDecoder().decode(
            Reminders.self,
            from: JSONEncoder().encode(reminders),
        )
        #expect(copy == reminders)
        let later = expires.addingTimeInterval(-12 * Self.day)
        #expect(copy.due(begins: begins, expires: expires, at: later) == nil)
    }
}
