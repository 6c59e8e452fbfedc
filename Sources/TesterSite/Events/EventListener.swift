import Cryptography

/// The kind of a listener, as far as the limits depend on it.
enum EventListener: Hashable, Sendable {
    case admin
    /// A tester's page, identified by the network that it is opened from and the reference to the
    /// browser's enrolled device; nil for none.
    case page(network: [UInt8], device: String?)

    static func page(from address: String, of device: String?) -> EventListener {
        .page(
            network: AlternativeName(address).network ?? Array(address.utf8),
            device: device,
        )
    }
}

/// The most listeners at once; others are asked to come back later, and their pages work without events.
package struct ListenerLimits: Sendable {
    package var all = 2000
    /// Testers' pages, which anyone can open; the rest is reserved for admins.
    package var pages = 1500
    /// Testers' pages of one network, such as an office, or a proxy that is not trusted.
    package var pagesOfOneNetwork = 500
    /// Pages of one device, from any network; a copied cookie counts as the device.
    package var pagesOfOneDevice = 8

    package init() {}

    /// Returns whether one more may listen.
    func admit(_ listener: EventListener, beside others: ListenerCounts) -> Bool {
        guard others.all < all else { return false }
        guard case .page(let network, let device) = listener else { return true }
        return others.pages < pages && others.networks[network, default: 0] < pagesOfOneNetwork
            && device.map { others.devices[$0, default: 0] < pagesOfOneDevice } ?? true
    }
}

/// How many listeners there are, of each kind that has a limit.
struct ListenerCounts: Sendable {
    private(set) var all = 0
    private(set) var pages = 0
    private(set) var networks: [[UInt8]: Int] = [:]
    private(set) var devices: [String: Int] = [:]

    mutating func add(_ listener: EventListener) { count(listener, 1) }

    mutating func remove(_ listener: EventListener) { count(listener, -1) }

    private mutating func count(_ listener: EventListener, _ step: Int) {
        all += step
        guard case .page(let network, let device) = listener else { return }
        pages += step
        Self.count(network, step, in: &networks)
        if let device { Self.count(device, step, in: &devices) }
    }

    private static func count<Key>(_ key: Key, _ step: Int, in counts: inout [Key: Int]) {
        let count = counts[key, default: 0] + step
        counts[key] = count == 0 ? nil : count
    }
}
