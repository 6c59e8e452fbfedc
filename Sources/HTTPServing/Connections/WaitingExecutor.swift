import NIOCore
import NIOPosix

/// Runs routes on threads that may wait: where the store is on another machine, what is not in memory is
/// a request to it, and neither the threads of connections nor those of Swift may wait for that.
package final class WaitingExecutor: TaskExecutor {
    /// How many threads may wait at once; one that waits costs some memory and nothing else.
    private static let threads = 64

    package init() {}

    /// Has this process start threads for everything that waits, and not one for each processor; to be
    /// called before any has started.
    package static func prepareThreads() {
        NIOSingletons.blockingPoolThreadCountSuggestion = threads
    }

    /// Runs a job on one of the threads; behind others where all of them wait.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        NIOThreadPool.singleton.submit { _ in
            // Also where the process ends: a job that never runs would keep its task for ever.
            unsafe job.runSynchronously(on: self.asUnownedTaskExecutor())
        }
    }
}
