import Foundation
import Glibc
import Synchronization

/// Looks on a thread of its own how much disk the files of a folder take, whatever they are called.
///
/// A file that was removed and is still open does not count, and none of what is measured does that.
final class DiskWatch: Sendable {
    private struct State {
        var peak = 0.0
        var isOver = false
    }

    private let folder: String
    private let state = Mutex(State())

    init(_ folder: String) {
        self.folder = folder
    }

    func start() {
        Thread.detachNewThread { [self] in
            while !state.withLock({ $0.isOver }) {
                note(Self.size(of: folder))
                Thread.sleep(forTimeInterval: 0.005)
            }
        }
    }

    /// Ends it, and gives the most that it saw, in bytes.
    func stop() -> Double {
        note(Self.size(of: folder))
        return state.withLock { state in
            state.isOver = true
            return state.peak
        }
    }

    private func note(_ size: Double) {
        state.withLock { $0.peak = max($0.peak, size) }
    }

    /// Apparent sizes, as a file that is written in pieces has its blocks later.
    private static func size(of folder: String) -> Double {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.reduce(0) { sum, name in
            var about = stat()
            let status = unsafe lstat("\(folder)/\(name)", &about)
            return status == 0 ? sum + Double(about.st_size) : sum
        }
    }
}
