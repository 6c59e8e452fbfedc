import Dispatch
import Essentials

/// A thread for one piece of work.
///
/// Libdispatch monitors the threads of its queues: while work is waiting, it reads their state from
/// `/proc` once a second, and ends the process if it cannot. So a process that may not open files, such
/// as the one that signs, must not use queues.
package final class WorkerThread: Sendable {
    private let end = DispatchGroup()

    /// Starts a thread; nil, without calling `body`, when the system cannot create one.
    ///
    /// - Parameter body: called once, and released before ``join()`` returns.
    package init?(_ body: @escaping @Sendable () -> Void) {
        end.enter()
        let work = unsafe Unmanaged.passRetained(Work(body, end))
        #if canImport(Glibc)
        var thread = pthread_t()
        #else
        var thread: pthread_t?
        #endif
        let code = unsafe pthread_create(
            &thread,
            nil,
            { unsafe WorkerThread.perform($0) },
            work.toOpaque(),
        )
        guard code == 0 else {
            unsafe work.release()
            end.leave()
            return nil
        }
    }

    /// Waits until the work is done.
    package func join() {
        end.wait()
    }

    /// Runs the same work on several threads, including the calling one, and waits for all of them.
    ///
    /// - Parameters:
    ///   - count: the number of threads, at least 1; the system may provide fewer.
    ///   - body: the work of each thread.
    package static func run(on count: Int, _ body: @Sendable () -> Void) {
        withoutActuallyEscaping(body) { body in
            let others = (1..<max(1, count)).compactMap { _ in WorkerThread(body) }
            body()
            for other in others { other.join() }
        }
    }

    private final class Work: Sendable {
        let body: @Sendable () -> Void
        let end: DispatchGroup

        init(_ body: @escaping @Sendable () -> Void, _ end: DispatchGroup) {
            self.body = body
            self.end = end
        }
    }

    private static func perform(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        pthread_detach(pthread_self())
        guard let argument = unsafe argument else { return nil }
        var work: Work? = unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue()
        let end = work?.end
        work?.body()
        work = nil
        end?.leave()
        return nil
    }
}
