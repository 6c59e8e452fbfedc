/// A pattern with `*` for any characters and `?` for one, matched in time limited by the two lengths.
package struct Wildcard: Sendable {
    private let pattern: [UInt8]
    /// Whether `*` also matches slashes.
    private let crosses: Bool

    package init(_ pattern: some StringProtocol, crossing crosses: Bool) {
        self.pattern = Array(pattern.utf8)
        self.crosses = crosses
    }

    /// Whether the whole name matches, compared by bytes.
    package func matches(_ name: some StringProtocol) -> Bool {
        let name = Array(name.utf8)
        var place = 0
        var next = 0
        /// The position of the last star, and how much it has matched: only the last one is retried.
        var star: Int?
        var taken = 0
        while place < name.count {
            if next < pattern.count, pattern[next] == UInt8(ascii: "*") {
                star = next
                taken = place
                next += 1
            } else if next < pattern.count, isOne(pattern[next], name[place]) {
                next += 1
                place += 1
            } else if let star, crosses || name[taken] != UInt8(ascii: "/") {
                taken += 1
                place = taken
                next = star + 1
            } else {
                return false
            }
        }
        return pattern[next...].allSatisfy { $0 == UInt8(ascii: "*") }
    }

    private func isOne(_ wanted: UInt8, _ byte: UInt8) -> Bool {
        wanted == byte
            || wanted == UInt8(ascii: "?") && (crosses || byte != UInt8(ascii: "/"))
    }
}
