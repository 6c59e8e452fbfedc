import Releases
package import Store

/// Takes deliveries of webhooks: what is acknowledged here survives every end of the server.
package struct HookDesk: Sendable {
    private let store: OTAStore

    package init(in store: OTAStore) {
        self.store = store
    }

    package enum Answer: Sendable, Hashable {
        /// The mirror will be looked at.
        case accepted
        /// It came before; nothing is done.
        case repeated
        /// Nothing that is acted on.
        case ignored
        /// From somebody without the secret, or for a mirror that there is not.
        case unauthorised
        case malformed
    }

    /// Judges a delivery, and notes that the mirror is due.
    package func take(_ delivery: HookDelivery, for name: String) throws -> Answer {
        guard let slug = Slug(name), let mirror = try store.mirrors()[slug],
            let secret = try store.secrets(of: mirror.name).hook
        else {
            // What a right answer costs, so that nobody learns which mirrors there are.
            _ = delivery.isSigned(with: "no mirror of that name")
            return .unauthorised
        }
        guard delivery.isSigned(with: secret) else { return .unauthorised }
        guard delivery.isWellFormed else { return .malformed }
        guard delivery.event == .push, !mirror.isPaused else { return .ignored }
        var isNew = false
        try store.changeFollowing(slug) { following in
            let identifiers = delivery.identifiers
            isNew = !identifiers.contains(where: following.deliveries.contains)
            guard isNew else { return }
            following.deliveries += identifiers
            let excess = following.deliveries.count - Following.deliveryLimit
            if excess > 0 { following.deliveries.removeFirst(excess) }
            following.isDue = true
        }
        return isNew ? .accepted : .repeated
    }
}
