#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

/// The processor time that `body` takes on this thread: what else the machine does, the tests beside
/// it among that, does not matter.
package func processorTime(_ body: () throws -> Void) rethrows -> Duration {
    let start = threadTime()
    try body()
    return threadTime() - start
}

private func threadTime() -> Duration {
    var time = timespec()
    let status = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    precondition(status == 0, "a thread always knows its own time")
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
