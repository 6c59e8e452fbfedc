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
    func admit(_ listener: EventListener, beside others: some Collection<EventListener>) -> Bool {
        guard others.count < all else { return false }
        guard case .page(let network, let device) = listener else { return true }
        var (open, near, same) = (0, 0, 0)
        for case .page(let otherNetwork, let otherDevice) in others {
            open += 1
            if otherNetwork == network { near += 1 }
            if device != nil, otherDevice == device { same += 1 }
        }
        return open < pages && near < pagesOfOneNetwork && same < pagesOfOneDevice
    }
}
