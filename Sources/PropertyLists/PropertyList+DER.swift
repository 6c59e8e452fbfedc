extension PropertyList {
    /// Converts a DER-encoded dictionary, dropping values that a property list cannot have.
    package init(_ entries: [DERValue.Entry]) {
        let values = entries.compactMap { entry in
            PropertyList(entry.value).map { (entry.key, $0) }
        }
        self = .dictionary(Dictionary(values) { first, _ in first })
    }

    private init?(_ value: DERValue) {
        switch value {
        case .string(let text): self = .string(text)
        case .integer(let number): self = .integer(number)
        case .boolean(let truth): self = .boolean(truth)
        case .data(let bytes): self = .data(bytes)
        case .array(let items): self = .array(items.compactMap { PropertyList($0) })
        case .dictionary(let entries): self.init(entries)
        case .versioned, .unknown: return nil
        }
    }

    /// Whether a DER value equals this one.
    package func isSame(as value: DERValue) -> Bool {
        switch (self, value) {
        case (.string(let own), .string(let other)): own == other
        case (.integer(let own), .integer(let other)): own == other
        case (.boolean(let own), .boolean(let other)): own == other
        case (.data(let own), .data(let other)): own == other
        case (.array(let own), .array(let other)):
            own.count == other.count && zip(own, other).allSatisfy { $0.isSame(as: $1) }
        case (.dictionary(let own), .dictionary(let other)):
            own.count == other.count
                && other.allSatisfy { entry in
                    own[entry.key]?.isSame(as: entry.value) ?? false
                }
        default: false
        }
    }

    /// The keys whose values differ between a dictionary and its DER encoding, sorted; empty for anything
    /// but a dictionary.
    package func differences(from entries: [DERValue.Entry]) -> [String] {
        guard let own = dictionary else { return [] }
        let others = Dictionary(entries.map { ($0.key, $0.value) }) { first, _ in first }
        return Set(own.keys).union(others.keys).filter { key in
            guard let value = own[key], let other = others[key] else { return true }
            return !value.isSame(as: other)
        }.sorted()
    }
}
