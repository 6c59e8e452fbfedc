import Synchronization

/// How much of a response's body has been handed to the connection.
final class Transfer: Sendable {
    private let sent = Atomic<Int>(0)

    func add(_ bytes: Int) {
        sent.add(bytes, ordering: .relaxed)
    }

    var bytes: Int { sent.load(ordering: .relaxed) }
}
