import Foundation
import Synchronization

/// A clock that a test advances.
final class MovableClock: Sendable {
    private let lead = Mutex(0.0)

    var now: Date { Date(timeIntervalSinceNow: lead.withLock { $0 }) }

    func advance(by seconds: Double) {
        lead.withLock { $0 += seconds }
    }
}
