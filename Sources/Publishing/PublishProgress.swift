/// The progress of publishing a build.
package struct PublishProgress: Sendable, Equatable {
    package enum Phase: String, Sendable, CaseIterable {
        /// The file is being copied into the store.
        case copying
        /// The file is hashed, and every entry is inflated and its checksum verified.
        case checking
        /// The bytes are written, and the release is recorded.
        case storing
    }

    package let phase: Phase
    /// The number of bytes of this phase that are done.
    package let done: Int
    /// The number of bytes of this phase; at least ``done``.
    package let total: Int

    package init(_ phase: Phase, done: Int, of total: Int) {
        self.phase = phase
        self.done = min(done, total)
        self.total = total
    }

    /// The phase's name in front of a progress bar.
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
