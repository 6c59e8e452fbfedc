package import NIOCore

/// Runs a connection's task on the thread that owns its socket.
///
/// Reading a file, encrypting and sending then happen without a hop between threads, and buffers are
/// uniquely referenced when they are returned, so they can be reused. Code that runs here must not block.
package final class LoopExecutor: TaskExecutor {
    /// The read buffer shared by the thread's downloads.
    package let buffers: PieceBuffers
    private let loop: any EventLoop

    init(_ loop: any EventLoop) {
        self.loop = loop
        buffers = PieceBuffers(loop)
    }

    /// Runs a job on the event loop.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute {
            unsafe job.runSynchronously(on: self.asUnownedTaskExecutor())
        }
    }
}

/// The executors of all threads of an event loop group.
package struct LoopExecutors: Sendable {
    private let executors: [ObjectIdentifier: LoopExecutor]
    /// The executor of one of the threads, always the same.
    package let first: LoopExecutor

    /// - Parameter group: the group, each thread of which gets an executor.
    package init(_ group: any EventLoopGroup) {
        let all = group.makeIterator().map { (ObjectIdentifier($0), LoopExecutor($0)) }
        executors = Dictionary(all) { first, _ in first }
        first = all.first?.1 ?? LoopExecutor(group.any())
    }

    /// The executor of a thread.
    package subscript(loop: any EventLoop) -> LoopExecutor {
        executors[ObjectIdentifier(loop)] ?? LoopExecutor(loop)
    }
}
