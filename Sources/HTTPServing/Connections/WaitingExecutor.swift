import NIOCore
import NIOPosix

/// Runs routes on threads that may block.
///
/// If the store is on another machine, data that is not in memory takes a request to it; neither event
/// loops nor Swift's cooperative threads may block on that.
package final class WaitingExecutor: TaskExecutor {
    /// Threads that may block at once; a blocked one costs only some memory.
    private static let threads = 64

    package init() {}

    /// Sizes NIO's shared thread pool for jobs that block, rather than by the number of processors.
    ///
    /// Must be called before the pool is first used.
    package static func prepareThreads() {
        NIOSingletons.blockingPoolThreadCountSuggestion = threads
    }

    /// Runs a job on one of the threads; queues it while all of them are busy.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        NIOThreadPool.singleton.submit { _ in
            // Even while the pool shuts down: a job that never runs would retain its task for ever.
            unsafe job.runSynchronously(on: self.asUnownedTaskExecutor())
        }
    }
}
