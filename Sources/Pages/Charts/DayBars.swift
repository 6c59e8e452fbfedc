import Bytes
package import Foundation
import Releases

/// The number of installs on each of the last days, as bars, and as a table beside them.
package struct DayBars: Sendable {
    let svg: String
    let summary: String
    let days: [Day]
    let first: String
    let last: String

    struct Day: Sendable {
        let date: String
        let done: String
        let failed: String
        let isEmpty: Bool
    }

    /// The installs of one day.
    package struct Count: Sendable {
        package var done: Int
        package var failed: Int

        package init(done: Int = 0, failed: Int = 0) {
            self.done = done
            self.failed = failed
        }

        var all: Int { done + failed }
    }

    private static let height = 132.0
    private static let ground = 112.0
    /// - Parameters:
    ///   - counts: one for each day, today last.
    ///   - date: the current time.
    package init(_ counts: [Count], until date: Date) {
        let dates = counts.indices.map {
            date.addingTimeInterval(Double($0 - counts.count + 1) * 86_400)
        }
        let done = counts.map(\.done).reduce(0, +)
        let failed = counts.map(\.failed).reduce(0, +)
        summary =
            (done == 0 ? "No installs" : Wording.count(done, "install"))
            + " in \(counts.count) days"
            + (failed == 0 ? "" : ", and \(Wording.count(failed, "attempt")) that did not finish")
        first = dates.first.map(Wording.shortDay) ?? ""
        last = "Today"
        days = zip(dates, counts).map { date, count in
            Day(
                date: Wording.day(date),
                done: count.done.grouped,
                failed: count.failed.grouped,
                isEmpty: count.all == 0,
            )
        }.reversed()
        let top = Self.roundTop(counts.map(\.all).max() ?? 0)
        var drawing = Drawing(
            "bars",
            identifier: "installs-chart",
            title: "Installs in the last \(counts.count) days",
            summary: summary + ".",
            height: Int(Self.height),
        )
        for level in Self.levels(top) {
            let y = Self.ground - Double(level) / Double(top) * (Self.ground - 14)
            drawing.level(y: y, kind: level == 0 ? "ground" : "level")
            if level > 0 {
                // Beside the bars, in space that the style sheet reserves, so that no bar covers it.
                drawing.word(level.grouped, x: 100, y: y + 4, anchor: .start, kind: "tick beside")
            }
        }
        let step = 100 / Double(max(1, counts.count))
        for (index, count) in counts.enumerated() where count.all > 0 {
            let unit = (Self.ground - 14) / Double(top)
            let x = (Double(index) + 0.14) * step
            let words =
                "\(Wording.shortDay(dates[index])): \(Wording.count(count.done, "install"))"
                + (count.failed > 0 ? ", \(count.failed.grouped) did not finish" : "")
            let done = Double(count.done) * unit
            let failed = Double(count.failed) * unit
            if count.done > 0 {
                drawing.bar(
                    x: x,
                    width: step * 0.72,
                    y: Self.ground - done,
                    height: done,
                    kind: "done",
                    title: words,
                )
            }
            if count.failed > 0 {
                drawing.bar(
                    x: x,
                    width: step * 0.72,
                    y: Self.ground - done - failed,
                    height: max(2, failed - (count.done > 0 ? 1.5 : 0)),
                    kind: "failed",
                    title: words,
                )
            }
        }
        drawing.word(first, x: 0, y: Self.height - 4, anchor: .start, kind: "tick")
        drawing.word(last, x: 100, y: Self.height - 4, anchor: .end, kind: "tick")
        svg = drawing.svg
    }

    /// Returns a round number that is at least as great, and at least 4.
    private static func roundTop(_ greatest: Int) -> Int {
        var unit = 1
        while greatest > unit * 10 { unit *= 10 }
        let steps = [1, 2, 4, 6, 10].map { $0 * unit }
        return steps.first { $0 >= max(4, greatest) } ?? greatest
    }

    private static func levels(_ top: Int) -> [Int] { [0, top / 2, top] }
}
