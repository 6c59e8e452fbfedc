#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The only lock for writers: a `flock` on a file in the store.
///
/// Each holder opens the file separately, so the lock works between threads as well as between processes;
/// the kernel releases it when a process ends.
struct StoreLock: Sendable {
    let path: String
    /// How long a writer waits; operations under the lock take milliseconds.
    let patience: Duration

    func withLock<Result>(
        _ body: () throws(StoreFailure) -> Result
    ) throws(StoreFailure) -> Result {
        try withFile { _ throws(StoreFailure) in try body() }
    }

    /// Runs `body` with the locked file, in which the holder can record what it is about to do.
    func withFile<Result>(
        _ body: (borrowing OpenFile) throws(StoreFailure) -> Result
    ) throws(StoreFailure) -> Result {
        let file = try open()
        try wait(for: file)
        return try body(file)
    }

    /// Runs `body` with the locked file, unless another holder has the lock.
    func ifFree(
        _ body: (borrowing OpenFile) throws(StoreFailure) -> Void
    ) throws(StoreFailure) {
        let file = try open()
        let isFree = try systemCall { () throws(SystemFailure) in try file.tryLock() }
        if isFree { try body(file) }
    }

    private func open() throws(StoreFailure) -> OpenFile {
        do throws(SystemFailure) {
            return try OpenFile.open(path, O_RDWR | O_CREAT, mode: 0o600, action: "lock")
        } catch {
            throw .system(error)
        }
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
