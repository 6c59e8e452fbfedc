package import Foundation
import Identifiers
package import Releases

/// Device slots as a grid: all places, and those that are taken.
package struct SlotGrid: Sendable {
    let title: String
    let team: String?
    let sentence: String
    let resets: String?
    /// Apple's count; nil if there is no snapshot.
    let counted: String?
    let tone: String
    let used: String
    let limit: String
    let svg: String

    private static let columns = 25
    private static let pitch = 13.0

    /// - Parameters:
    ///   - slots: the slots of one family.
    ///   - counts: Apple's counts.
    ///   - number: unique on the page.
    ///   - date: the current time.
    package init(
        _ slots: DeviceSlots,
        counts: [AppleCount] = [],
        number: Int,
        at date: Date,
    ) {
        counted = counts.sentence(beside: slots)
        title = slots.family.title
        team = slots.team
        used = "\(slots.used)"
        limit = "\(slots.limit)"
        let left = max(0, slots.limit - slots.used)
        sentence =
            left == 0
            ? "All \(slots.limit) slots used"
            : "\(slots.used) of \(slots.limit) used, \(left) left"
        resets = slots.resets.map {
            "Slots of disabled devices become free on \(Wording.day($0)), "
                + Wording.distance(to: $0, from: date)
        }
        tone = left == 0 ? "bad" : left <= slots.limit / 10 ? "warn" : "accent"
        let rows = (slots.limit + Self.columns - 1) / Self.columns
        var drawing = Drawing(
            "slots-picture",
            identifier: "slots-\(number)",
            title: "Slots for \(slots.family.title)",
            summary: sentence + ".",
            height: Int(Double(rows) * Self.pitch),
        )
        let step = 100 / Double(Self.columns)
        for place in 0..<slots.limit {
            drawing.bar(
                x: Double(place % Self.columns) * step + step * 0.1,
                width: step * 0.8,
                y: Double(place / Self.columns) * Self.pitch + 1,
                height: Self.pitch - 3,
                radius: 3,
                kind: place < slots.used ? "taken \(tone)" : "free",
            )
        }
        svg = drawing.svg
    }
}
