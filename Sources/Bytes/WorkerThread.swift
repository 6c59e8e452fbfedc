import Dispatch
import Essentials

/// A thread of its own for one piece of work.
///
/// Libdispatch watches the threads of its queues: once a second, while work waits in one, it reads what
/// `/proc` says of each of them, and it ends the process where it cannot. So a process that may open no files,
/// as the one that signs, leaves no work to queues.
package final class WorkerThread: Sendable {
    private let end = DispatchGroup()

    /// Starts a thread.
    ///
    /// - Parameter body: what it does; it is called once, and released before ``join()`` returns.
    ///   It is not called, and this is nil, where the system gives no further thread then.
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

    /// Waits for the end of the work.
    package func join() {
        end.wait()
    }

    /// Does the same work on several threads at once, of which the calling one is the first, and waits for
    /// all of them.
    ///
    /// - Parameters:
    ///   - count: how many; the system may give fewer, and 1 is the least.
    ///   - body: what each of them does.
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
