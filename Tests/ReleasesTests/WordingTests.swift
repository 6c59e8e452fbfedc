import Foundation
import Releases
import Testing

struct WordingTests {
    private func date(_ text: String) throws -> Date {
        try Date(text, strategy: .iso8601)
    }

    @Test(arguments: [
        (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1 KB"), (1049, "1 KB"),
        (1051, "1.1 KB"), (99_949, "99.9 KB"), (99_951, "100 KB"), (123_456, "123 KB"),
        (999_499, "999 KB"), (999_500, "1 MB"),
        (999_999, "1 MB"), (24_812_331, "24.8 MB"), (999_999_999, "1 GB"),
        (2_147_483_648, "2.1 GB"), (5_000_000_000_000, "5 TB"), (5_000_000_000_000_000, "5000 TB"),
    ])
    func `sizes have at most three digits`(bytes: Int, text: String) {
        #expect(Wording.size(bytes) == text)
    }

    @Test func `the largest and the smallest number have a size`() {
        #expect(Wording.size(.max).hasSuffix(" TB"))
        #expect(Wording.size(-5) == "-5 bytes")
        #expect(Wording.size(.min).hasSuffix("bytes"))
    }

    @Test(arguments: [
        ("2026-03-01T12:00:00Z", "today"), ("2026-03-01T23:59:59Z", "today"),
        ("2026-03-02T00:00:00Z", "tomorrow"), ("2026-02-28T23:59:59Z", "yesterday"),
        ("2026-03-03T00:00:00Z", "in 2 days"), ("2026-02-27T00:00:00Z", "2 days ago"),
        ("2027-03-01T00:00:00Z", "in 365 days"), ("2024-03-01T00:00:00Z", "730 days ago"),
    ])
    func `a distance counts calendar days in UTC`(day: String, text: String) throws {
        let now = try date("2026-03-01T12:00:00Z")
        #expect(Wording.distance(to: try date(day), from: now) == text)
    }

    @Test(arguments: ["2026-03-29", "2026-10-25", "2026-03-08", "2026-11-01"])
    func `the days on which clocks change are days like others`(day: String) throws {
        let midnight = try date(day + "T00:00:00Z")
        #expect(Wording.days(from: midnight - 86_400, to: midnight) == 1)
        #expect(Wording.days(from: midnight, to: midnight + 86_400) == 1)
        #expect(Wording.days(from: midnight - 1, to: midnight) == 1)
        #expect(Wording.days(from: midnight, to: midnight + 86_399) == 0)
        #expect(Wording.days(from: midnight + 86_400, to: midnight - 86_400) == -2)
    }

    @Test func `a date beyond any calendar is a day as well`() throws {
        let end = Date(timeIntervalSince1970: 1e300)
        #expect(Wording.days(from: Date(timeIntervalSince1970: 0), to: end) == 10_000_000_000)
        #expect(Wording.days(from: end, to: end) == 0)
        for date in [end, Date(timeIntervalSince1970: -1e300), .distantPast, .distantFuture] {
            let parts = Wording.parts(of: date)
            #expect((1...12).contains(parts.month) && (1...31).contains(parts.day), "\(date)")
            #expect(Wording.day(date).hasSuffix(" \(parts.year)"))
        }
    }

    @Test func `months begin on their first day in UTC`() throws {
        let months = Wording.months(
            from: try date("2027-11-30T23:59:59Z"),
            to: try date("2028-02-01T00:00:01Z"),
        )
        #expect(
            months
                == [
                    try date("2027-12-01T00:00:00Z"), try date("2028-01-01T00:00:00Z"),
                    try date("2028-02-01T00:00:00Z"),
                ]
        )
        #expect(Wording.shortDay(try date("2028-02-29T23:59:59Z")) == "29 Feb")
    }

    @Test func `a day is written out in UTC`() throws {
        #expect(Wording.day(try date("2027-03-03T23:59:59Z")) == "3 March 2027")
        #expect(Wording.day(try date("2028-02-29T00:00:00Z")) == "29 February 2028")
        #expect(Wording.day(try date("2026-12-31T23:59:59Z")) == "31 December 2026")
    }

    @Test func `expiry is a whole sentence`() throws {
        let now = try date("2026-03-01T12:00:00Z")
        #expect(Wording.expiry(nil, at: now) == "Nothing in this build expires.")
        #expect(
            Wording.expiry(now + 86_400, at: now) == "Installs until 2 March 2026 (tomorrow)."
        )
        #expect(
            Wording.expiry(now, at: now)
                == "This build expired on 1 March 2026 and no longer installs."
        )
    }

    @Test func `one is singular and everything else plural`() {
        #expect(Wording.count(1, "device") == "1 device")
        #expect(Wording.count(0, "device") == "0 devices")
        #expect(Wording.count(2, "entry", "entries") == "2 entries")
        #expect(Wording.count(-1, "device") == "-1 devices")
        #expect(Wording.count(9_999, "device") == "9999 devices")
        #expect(Wording.count(10_000, "release") == "10,000 releases")
    }
}
