import AppleDeveloper
import Foundation
import HTTPCalling
import Synchronization
import TestSupport

/// The clock of the store, the job runner, the planner, API calls and Apple.
///
/// It advances only where a test or a pause advances it.
final class LoopClock: Sendable {
    private struct Inside {
        var now: Date
        var random: SeededGenerator
        var remembered: Date?
    }

    private let inside: Mutex<Inside>

    init(_ now: Date = Date(timeIntervalSince1970: 1_800_000_000), seed: UInt64 = 1) {
        inside = Mutex(Inside(now: now, random: SeededGenerator(seed: seed)))
    }

    var now: Date { inside.withLock { $0.now } }

    func pass(_ seconds: TimeInterval) {
        inside.withLock { $0.now += max(0, seconds) }
    }

    func remember() { inside.withLock { $0.remembered = $0.now } }

    func rewind() { inside.withLock { $0.now = $0.remembered ?? $0.now } }

    /// Returns the next of its pseudorandom bytes.
    func bytes(_ count: Int) -> [UInt8] {
        inside.withLock { inside in
            (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &inside.random) }
        }
    }

    /// Pauses between calls only advance this clock.
    var timing: CallTiming {
        CallTiming(
            now: { self.now },
            sleep: { seconds in
                try Task.checkCancellation()
                self.pass(seconds)
            },
            random: { self.inside.withLock { Double.random(in: 0..<1, using: &$0.random) } },
        )
    }
}
