import Foundation
import HTTPServing
import Synchronization
import Testing

/// Routes that wait for another machine do not block others.
struct WaitingExecutorTests {
    @Test func `what waits there keeps no thread from everything else`() async throws {
        let executor = WaitingExecutor()
        let end = DispatchSemaphore(value: 0)
        let waiting = Count()
        let many = ProcessInfo.processInfo.activeProcessorCount * 4
        let timeouts = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<many {
                group.addTask(executorPreference: executor) {
                    waiting.value.withLock { $0 += 1 }
                    // On a thread of Swift's pool, this would block everything below until that time.
                    return Self.wait(for: end) ? 0 : 1
                }
            }
            // This runs on Swift's pool: if all its threads were blocked, it would be too late for the
            // waiting tasks.
            group.addTask {
                await Task.detached {}.value
                for _ in 0..<many { end.signal() }
                return 0
            }
            return await group.reduce(0, +)
        }
        #expect(timeouts == 0)
        #expect(waiting.value.withLock { $0 } == many)
    }

    private final class Count: Sendable {
        let value = Mutex(0)
    }

    private static func wait(for end: DispatchSemaphore) -> Bool {
        end.wait(timeout: .now() + .seconds(20)) == .success
    }
}
