import Synchronization

/// Collects bytes that arrive in pieces on another thread.
final class Collected: Sendable {
    private let collected = Mutex<[UInt8]>([])

    var bytes: [UInt8] { collected.withLock { $0 } }

    func append(_ piece: ArraySlice<UInt8>) {
        collected.withLock { $0 += piece }
    }
}
