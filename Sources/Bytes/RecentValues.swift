/// Values that were used recently, bounded by what they cost together.
///
/// Two generations stand in for an order of last use: what is asked for moves to the young one, and
/// once that has reached half of the bound, the old one goes and the young one takes its place. So
/// nothing goes that was used within the last half of the bound, and no list is kept in order.
package struct RecentValues<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    @usableFromInline
    struct Kept {
        @usableFromInline let value: Value
        @usableFromInline let cost: Int

        @inlinable
        init(value: Value, cost: Int) {
            self.value = value
            self.cost = cost
        }
    }

    /// What all values may cost together, in bytes.
    @usableFromInline let limit: Int
    @usableFromInline var young: [Key: Kept] = [:]
    @usableFromInline var old: [Key: Kept] = [:]
    @usableFromInline var youngCost = 0

    /// - Parameter limit: what all values may cost together, in bytes; a value that costs more than
    ///   half of it is not kept.
    @inlinable
    package init(limit: Int) {
        self.limit = limit
    }

    /// The value of a key, which counts as used now.
    @inlinable
    package mutating func value(_ key: Key) -> Value? {
        if let kept = young[key] { return kept.value }
        guard let kept = old.removeValue(forKey: key) else { return nil }
        insert(kept, for: key)
        return kept.value
    }

    /// Keeps a value in place of an earlier one.
    @inlinable
    package mutating func keep(_ value: Value, for key: Key, cost: Int) {
        remove(key)
        insert(Kept(value: value, cost: cost), for: key)
    }

    /// Forgets the value of a key.
    @inlinable
    package mutating func remove(_ key: Key) {
        if let kept = young.removeValue(forKey: key) { youngCost -= kept.cost }
        old.removeValue(forKey: key)
    }

    /// Forgets all values.
    @inlinable
    package mutating func removeAll() {
        young.removeAll()
        old.removeAll()
        youngCost = 0
    }

    @inlinable
    mutating func insert(_ kept: Kept, for key: Key) {
        guard kept.cost <= limit / 2 else { return }
        if youngCost + kept.cost > limit / 2 {
            old = young
            young = [:]
            youngCost = 0
        }
        young[key] = kept
        youngCost += kept.cost
    }
}
