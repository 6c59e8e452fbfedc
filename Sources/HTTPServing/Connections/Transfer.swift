import Synchronization

/// Counts the bytes of a response's body that were passed to the connection.
package final class Transfer: Sendable {
    private let sent = Atomic<Int>(0)

    /// Starts at zero.
    package init() {}

    /// Adds bytes that have been passed to the connection.
    package func add(_ bytes: Int) {
        sent.add(bytes, ordering: .relaxed)
    }

    /// The total number of bytes.
    package var bytes: Int { sent.load(ordering: .relaxed) }
}
