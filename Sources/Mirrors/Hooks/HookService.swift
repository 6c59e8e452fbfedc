import Identifiers
import Releases
package import Store

/// Accepts webhook deliveries: once a delivery is acknowledged, a crash of the server does not lose it.
package struct HookService: Sendable {
    private let store: OTAStore

    package init(in store: OTAStore) {
        self.store = store
    }

    package enum Answer: Sendable, Hashable {
        /// The mirror will be synced.
        case accepted
        /// A repeated delivery; nothing is done.
        case repeated
        /// An event that the server ignores.
        case ignored
        /// From a sender without the secret, or for an unknown mirror.
        case unauthorised
        case malformed
        /// For a mirror that accepts no deliveries at the moment; the refusal says why.
        case paused(MirrorRefusal)
    }

    /// The secret with which deliveries for a mirror are signed; read before the body is.
    package func secret(of name: String) throws -> HookSecret {
        guard let slug = Slug(name) else { return HookSecret(nil) }
        // In this order, so that a name without a mirror takes the same reads from disk.
        let secret = try store.secrets(of: slug).hook
        return HookSecret(try store.mirrors()[slug] == nil ? nil : secret)
    }

    /// Checks a delivery, and marks the mirror as due for a sync.
    package func take(_ delivery: HookDelivery, for name: String) throws -> Answer {
        guard delivery.isProven, let slug = Slug(name), let mirror = try store.mirrors()[slug]
        else { return .unauthorised }
        guard delivery.isWellFormed else { return .malformed }
        guard delivery.event == .push else { return .ignored }
        do throws(MirrorRefusal) {
            try mirror.checkInUse()
        } catch {
            return .paused(error)
        }
        var isNew = false
        try store.changeMirrorState(slug) { state in
            let identifiers = delivery.identifiers
            isNew = !identifiers.contains(where: state.deliveries.contains)
            guard isNew else { return }
            state.deliveries += identifiers
            let excess = state.deliveries.count - MirrorState.deliveryLimit
            if excess > 0 { state.deliveries.removeFirst(excess) }
            state.isDue = true
        }
        return isNew ? .accepted : .repeated
    }
}
