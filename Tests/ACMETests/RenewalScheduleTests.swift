import ACME
import Foundation
import Testing

struct RenewalScheduleTests {
    private let begin = Date(timeIntervalSince1970: 1_800_000_000)
    private let day = 86_400.0

    @Test(arguments: [0, 0.25, 0.999])
    func `a certificate is renewed as two thirds of its life end`(random: Double) {
        for days in [6.0, 45, 90] {
            let date = RenewalSchedule.date(
                of: begin...begin.addingTimeInterval(days * day),
                obtained: begin,
                random: random,
            )
            let part = date.timeIntervalSince(begin) / (days * day)
            #expect(part > 0.63 && part <= 2.0 / 3)
        }
    }

    @Test func `a clock that is wrong asks for no certificate again and again`() {
        let end = begin.addingTimeInterval(90 * day)
        let late = end.addingTimeInterval(-60)
        let date = RenewalSchedule.date(of: begin...end, obtained: late, random: 0)
        #expect(date == late.addingTimeInterval(3600))
    }

    @Test func `a suggested window is followed, but not at once and not behind the end`() {
        let end = begin.addingTimeInterval(90 * day)
        func date(_ from: Double, _ to: Double, _ random: Double) -> Double {
            let window = RenewalWindow(
                start: begin.addingTimeInterval(from * day),
                end: begin.addingTimeInterval(to * day),
            )
            return RenewalSchedule.date(within: window, of: begin...end, random: random)
                .timeIntervalSince(begin) / day
        }
        #expect(date(50, 60, 0) == 50)
        #expect(date(50, 60, 0.5) == 55)
        #expect(date(-20, -10, 0.5) == 0.9)
        #expect(date(80, 200, 0.9) == 90)
    }

    @Test func `waits grow to half a day, with three attempts in the first hour`() {
        let waits = (1...12).map { RenewalSchedule.pause(after: $0, random: 0) }
        #expect(waits.prefix(4) == [60, 1800, 3600, 7200])
        #expect(waits.last == 43_200)
        #expect(waits[0] + waits[1] + waits[2] > 3600)
        #expect(RenewalSchedule.pause(after: 1, random: 0.999) < 75)
    }
}
