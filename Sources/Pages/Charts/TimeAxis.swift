package import Foundation
import Releases

/// A time axis across a page, with the months that begin in it and the current time.
package struct TimeAxis: Sendable {
    private let start: Date
    private let end: Date
    private let now: Date

    /// Creates the axis of items that expire between some dates: from a little before the current time,
    /// or before recent expirations, to the last expiration.
    ///
    /// - Parameters:
    ///   - ends: when the items expire.
    ///   - now: the current time.
    package init(ends: [Date], at now: Date) {
        let day: TimeInterval = 86_400
        let earliest = max(ends.min() ?? now, now.addingTimeInterval(-60 * day))
        let latest = min(ends.max() ?? now, now.addingTimeInterval(500 * day))
        start = min(earliest, now).addingTimeInterval(-14 * day)
        end = max(latest, now.addingTimeInterval(90 * day)).addingTimeInterval(14 * day)
        self.now = now
    }

    /// Returns the position of a date, in percent of the width.
    func place(of date: Date) -> Double {
        let share = date.timeIntervalSince(start) / end.timeIntervalSince(start)
        return min(100, max(0, share * 100))
    }

    /// Draws the names of the months at their beginnings.
    func scale(identifier: String) -> String {
        var drawing = Drawing(
            "scale",
            identifier: identifier,
            title: "Time axis",
            summary: "From \(Wording.day(start)) to \(Wording.day(end)).",
            height: 22,
        )
        let months = Wording.months(from: start, to: end)
        // As many names as a phone has room for; wider screens show more.
        let every = max(1, (months.count + 5) / 6)
        for (index, month) in months.enumerated() {
            let x = place(of: month)
            guard x < 97 else { continue }
            drawing.mark(x: x, from: 16, to: 22, kind: "tick")
            let isSparse = index.isMultiple(of: every)
            drawing.word(
                Wording.monthName(month),
                x: x,
                y: 12,
                anchor: .start,
                kind: isSparse ? "tick" : "tick wide",
            )
        }
        return drawing.svg
    }

    /// Draws an item's lifetime, coloured by how near its expiration is.
    func line(
        from begins: Date,
        to expires: Date,
        tone: String,
        identifier: String,
        title: String,
    ) -> String {
        var drawing = Drawing(
            "life",
            identifier: identifier,
            title: title,
            summary:
                "From \(Wording.day(begins)) to \(Wording.day(expires)), "
                + Wording.distance(to: expires, from: now) + ".",
            height: 18,
        )
        let left = place(of: begins)
        let right = max(left + 1, place(of: expires))
        drawing.bar(x: 0, width: 100, y: 8, height: 2, radius: 1, kind: "rail")
        drawing.bar(x: left, width: right - left, y: 5, height: 8, radius: 4, kind: tone)
        drawing.mark(x: place(of: now), to: 18, kind: "now")
        return drawing.svg
    }
}
