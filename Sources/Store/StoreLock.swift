#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The one lock that keeps writers apart: a `flock` on a file in the store.
///
/// Each holder opens the file anew, so it works between threads as between processes, and a process
/// that dies lets go of it.
struct StoreLock: Sendable {
    let path: String
    /// How long a writer waits; what is done under the lock takes milliseconds.
    let patience: Duration

    func withLock<Result>(
        _ body: () throws(StoreFailure) -> Result
    ) throws(StoreFailure) -> Result {
        let file = try systemCall { () throws(SystemFailure) in
            try OpenFile.open(path, O_RDWR | O_CREAT, mode: 0o600, action: "lock")
        }
        try wait(for: file)
        return try body()
    }

    private func wait(for file: borrowing OpenFile) throws(StoreFailure) {
        let deadline = ContinuousClock.now + patience
        var pause: UInt32 = 200
        while true {
            do throws(SystemFailure) {
                if try file.tryLock() { return }
            } catch {
                throw .system(error)
            }
            guard ContinuousClock.now < deadline else {
                throw .locked(path: path, seconds: Int(patience.components.seconds))
            }
            usleep(.random(in: pause / 2...pause))
            pause = min(pause * 2, 10_000)
        }
    }
}
