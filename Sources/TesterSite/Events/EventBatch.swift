import HTTPServing

/// What listeners of the same events share, and what they are about to receive.
struct EventBatch {
    /// Listeners' news is delivered in parts, so that the first ones need not wait for the last.
    private static let part = 64

    private var pieces: [String: LiveBody.Piece] = [:]
    private var farewells: [String: String?] = [:]
    private var deliveries: [(EventOutlet, EventOutlet.News)] = []

    /// The piece with a text; most listeners receive the same.
    mutating func piece(of text: String) -> LiveBody.Piece {
        if let made = pieces[text] { return made }
        let made = LiveBody.Piece(text)
        pieces[text] = made
        return made
    }

    /// The farewell to an audience, worked out once for all that have the same access.
    mutating func farewell(to audience: any EventAudience) throws -> String? {
        guard let access = audience.access else { return try audience.farewell() }
        if let known = farewells[access] { return known }
        let farewell = try audience.farewell()
        farewells[access] = .some(farewell)
        return farewell
    }

    mutating func add(_ news: EventOutlet.News, for outlet: EventOutlet) {
        deliveries.append((outlet, news))
        if deliveries.count >= Self.part { deliver() }
    }

    mutating func deliver() {
        EventOutlet.deliver(deliveries)
        deliveries = []
    }
}
