import Identifiers
import Releases
package import Store

/// Takes deliveries of webhooks: what is acknowledged here survives every end of the server.
package struct HookService: Sendable {
    private let store: OTAStore

    package init(in store: OTAStore) {
        self.store = store
    }

    package enum Answer: Sendable, Hashable {
        /// The mirror will be synced.
        case accepted
        /// It came before; nothing is done.
        case repeated
        /// Nothing that is acted on.
        case ignored
        /// From a sender without the secret, or for an unknown mirror.
        case unauthorised
        case malformed
        /// For a mirror that takes none at the moment; the refusal says so.
        case paused(MirrorRefusal)
    }

    /// What signs the deliveries for a mirror; asked before the body is read.
    package func secret(of name: String) throws -> HookSecret {
        guard let slug = Slug(name) else { return HookSecret(nil) }
        // In this order, so that a name without a mirror costs the same reads of the disk.
        let secret = try store.secrets(of: slug).hook
        return HookSecret(try store.mirrors()[slug] == nil ? nil : secret)
    }

    /// Judges a delivery, and notes that the mirror is due.
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
