import Synchronization

/// Counts the bytes of a response's body that were handed to the connection.
package final class Transfer: Sendable {
    private let sent = Atomic<Int>(0)

    /// Begins with nothing handed on.
    package init() {}

    /// Counts bytes that have been handed to the connection.
    package func add(_ bytes: Int) {
        sent.add(bytes, ordering: .relaxed)
    }

    /// All that has been counted.
    package var bytes: Int { sent.load(ordering: .relaxed) }
}
