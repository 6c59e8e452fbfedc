/// A cache of recently used values with a limit on their total cost.
///
/// Two generations approximate the order of last use: a value that is used moves to the young one, and
/// when that has reached half of the limit, the old one is dropped and the young one takes its place. So
/// no value is dropped that was used within the last half of the limit, and no ordered list is kept.
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

    /// The maximum total cost in bytes.
    @usableFromInline let limit: Int
    @usableFromInline var young: [Key: Kept] = [:]
    @usableFromInline var old: [Key: Kept] = [:]
    @usableFromInline var youngCost = 0

    /// - Parameter limit: the maximum total cost in bytes; a value that costs more than half of it is not
    ///   kept.
    @inlinable
    package init(limit: Int) {
        self.limit = limit
    }

    /// Returns the value of a key and marks it as used.
    @inlinable
    package mutating func value(_ key: Key) -> Value? {
        if let kept = young[key] { return kept.value }
        guard let kept = old.removeValue(forKey: key) else { return nil }
        insert(kept, for: key)
        return kept.value
    }

    /// Stores a value, replacing an earlier one; `cost` is in bytes.
    @inlinable
    package mutating func keep(_ value: Value, for key: Key, cost: Int) {
        remove(key)
        insert(Kept(value: value, cost: cost), for: key)
    }

    /// Removes the value of a key.
    @inlinable
    package mutating func remove(_ key: Key) {
        if let kept = young.removeValue(forKey: key) { youngCost -= kept.cost }
        old.removeValue(forKey: key)
    }

    /// Removes all values.
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
