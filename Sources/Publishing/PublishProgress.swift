/// How far a build has come on its way.
package struct PublishProgress: Sendable, Equatable {
    package enum Phase: String, Sendable, CaseIterable {
        /// The file is copied into the store.
        case copying
        /// Every byte is hashed, and every entry inflated and compared with its checksum.
        case checking
        /// The bytes are written out, and the release is recorded.
        case storing
    }

    package let phase: Phase
    /// Bytes of this phase done so far.
    package let done: Int
    /// Bytes of this phase; at least ``done``.
    package let total: Int

    package init(_ phase: Phase, done: Int, of total: Int) {
        self.phase = phase
        self.done = min(done, total)
        self.total = total
    }

    /// What to call the phase in front of a bar.
    package var title: String {
        switch phase {
        case .copying: "Reading"
        case .checking: "Checking"
        case .storing: "Storing"
        }
    }

    /// From 0 to 1.
    package var fraction: Double { total > 0 ? Double(done) / Double(total) : 1 }
}
