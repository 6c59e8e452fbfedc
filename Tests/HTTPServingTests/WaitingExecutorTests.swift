import Foundation
import HTTPServing
import Synchronization
import Testing

/// Routes that wait for another machine.
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
                    // Were it a thread of Swift's, nothing below would run before that time.
                    return Self.wait(for: end) ? 0 : 1
                }
            }
            // On threads of Swift: were they all taken, this would come too late for those that wait.
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
