import AppleDeveloper
import Foundation
import HTTPCalling
import Synchronization

/// A clock that advances only in pauses, and records them.
final class PausingClock: Sendable {
    private struct Inside {
        var now: Date
        var pauses: [TimeInterval] = []
    }

    private let inside: Mutex<Inside>

    init(_ now: Date = Date(timeIntervalSince1970: 1_800_000_000)) {
        inside = Mutex(Inside(now: now))
    }

    var now: Date { inside.withLock { $0.now } }
    var pauses: [TimeInterval] { inside.withLock { $0.pauses } }

    func pass(_ seconds: TimeInterval) {
        inside.withLock { $0.now += seconds }
    }

    var timing: CallTiming {
        CallTiming(
            now: { self.now },
            sleep: { seconds in
                try Task.checkCancellation()
                self.inside.withLock {
                    $0.now += seconds
                    $0.pauses.append(seconds)
                }
            },
            random: { 0.5 },
        )
    }
}
