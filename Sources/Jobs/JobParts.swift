/// The progress of a long step, in parts of about the same size.
package struct JobParts: Codable, Sendable, Equatable {
    package let done: Int
    package let total: Int

    package init(_ done: Int, of total: Int) {
        self.done = done
        self.total = total
    }

    /// From 0 to 1.
    package var fraction: Double {
        total > 0 ? min(max(Double(done) / Double(total), 0), 1) : 0
    }
}
