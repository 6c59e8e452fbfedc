package import Releases

extension ActivityFilter {
    /// Creates a filter from the parameters of a request.
    ///
    /// - Parameters:
    ///   - actor: the full name of the actor; nil for anyone.
    ///   - kind: one of `Activity.Event`; nil for all.
    ///   - from: the first day, such as `2027-03-14`; nil for no bound.
    ///   - to: the last day; nil for no bound.
    /// - Throws: ``BadParameter`` that names the invalid parameter.
    package init(
        actor: String?,
        kind: String?,
        from: String?,
        to: String?,
    ) throws(BadParameter) {
        self.init()
        if let actor {
            guard (1...200).contains(actor.utf8.count) else {
                throw BadParameter("actor", fix: "give the name of a token or a user")
            }
            self.actor = actor
        }
        if let kind {
            guard let event = Activity.Event(rawValue: kind) else {
                throw BadParameter("kind", fix: "give an event, such as published")
            }
            self.kind = event
        }
        self.from = try Self.day(from, "from")
        self.to = try Self.day(to, "to")
    }

    private static func day(
        _ text: String?,
        _ name: String,
    ) throws(BadParameter) -> ActivityDay? {
        guard let text else { return nil }
        guard let day = ActivityDay(text) else {
            throw BadParameter(name, fix: "give \(ActivityDay.kindOfText)")
        }
        return day
    }
}
