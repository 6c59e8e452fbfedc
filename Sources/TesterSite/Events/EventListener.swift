import Cryptography

/// Who listens to events, as far as it decides how many may.
enum EventListener: Hashable, Sendable {
    case admin
    /// A tester's page, by the network that it is opened from and the reference to the device that
    /// enrolled with its browser; nil for none.
    case page(network: [UInt8], device: String?)

    static func page(from address: String, of device: String?) -> EventListener {
        .page(
            network: AlternativeName(address).network ?? Array(address.utf8),
            device: device,
        )
    }
}

/// How many may listen at once; more are asked to come back later, and their pages work without.
package struct ListenerLimits: Sendable {
    package var all = 2000
    /// Testers' pages, which anyone can open; the rest is reserved for admins.
    package var pages = 1500
    /// Tester's pages of one network; an office, or a proxy that is not trusted, is one.
    package var pagesOfOneNetwork = 500
    /// Pages of one device, whatever networks they come from; a copied cookie counts as the device.
    package var pagesOfOneDevice = 8

    package init() {}

    /// Whether one more may listen.
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
