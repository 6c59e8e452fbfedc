import Bytes
package import Essentials

/// Selects activity by actor, kind and day.
package struct ActivityFilter: Sendable, Equatable {
    /// The full name of the actor, compared byte by byte.
    package var actor: String?
    package var kind: Activity.Event?
    /// The first day.
    package var from: ActivityDay?
    /// The last day.
    package var to: ActivityDay?

    package init(
        actor: String? = nil,
        kind: Activity.Event? = nil,
        from: ActivityDay? = nil,
        to: ActivityDay? = nil,
    ) {
        self.actor = actor
        self.kind = kind
        self.from = from
        self.to = to
    }

    /// Whether it selects all activity.
    package var isEmpty: Bool { actor == nil && kind == nil && from == nil && to == nil }

    package func includes(_ activity: Activity) -> Bool {
        if let actor, !actor.utf8.elementsEqual(activity.actor.utf8) { return false }
        if let kind, activity.event != kind { return false }
        if let from, activity.date < from.start { return false }
        if let to, activity.date >= to.end { return false }
        return true
    }
}

/// A day in UTC, such as `2027-03-14`.
package struct ActivityDay: TextCoded, Sendable, Hashable {
    package let description: String
    /// The start of the day.
    package let start: Date

    package static let kindOfText = "a day such as 2027-03-14"

    /// The start of the next day.
    package var end: Date { start.addingTimeInterval(86_400) }

    package init?(_ text: String) {
        guard text.utf8.count == 10 else { return nil }
        let style = Date.ISO8601FormatStyle(timeZone: .gmt).year().month().day()
        // Foundation parses 30 February as 2 March.
        guard let start = try? style.parse(text), style.format(start) == text else { return nil }
        self.start = start
        description = text
    }
}
