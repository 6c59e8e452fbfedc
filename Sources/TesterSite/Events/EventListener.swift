import Cryptography

/// Who listens to events, as far as it decides how many may.
enum EventListener: Hashable, Sendable {
    case admin
    /// A tester's page, by the network that it is opened from.
    case page(network: [UInt8])

    static func page(from address: String) -> EventListener {
        .page(network: AlternativeName(address).network ?? Array(address.utf8))
    }
}

/// How many may listen at once; more are asked to come back later, and their pages work without.
package struct ListenerLimits: Sendable {
    package var all = 2000
    /// Testers' pages, which anyone can open; the rest is reserved for admins.
    package var pages = 1500
    /// Tester's pages of one network; an office, or a proxy that is not trusted, is one.
    package var pagesOfOneNetwork = 500

    package init() {}

    /// Whether one more may listen.
    func admit(_ listener: EventListener, beside others: some Collection<EventListener>) -> Bool {
        guard others.count < all else { return false }
        guard listener != .admin else { return true }
        return others.count { $0 != .admin } < pages
            && others.count { $0 == listener } < pagesOfOneNetwork
    }
}
