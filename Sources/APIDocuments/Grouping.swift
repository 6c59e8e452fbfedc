extension Sequence {
    /// Groups elements by key, in the order in which the keys first occur.
    package func grouped<Key: Hashable>(
        by key: (Element) -> Key
    ) -> [(key: Key, values: [Element])] {
        var places: [Key: Int] = [:]
        var groups: [(key: Key, values: [Element])] = []
        for element in self {
            let own = key(element)
            if let place = places[own] {
                groups[place].values.append(element)
            } else {
                places[own] = groups.count
                groups.append((own, [element]))
            }
        }
        return groups
    }
}
