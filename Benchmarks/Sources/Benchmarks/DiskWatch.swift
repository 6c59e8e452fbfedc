import Foundation
import Glibc
import Synchronization

/// Measures on a thread of its own how much disk space the files in a folder use, whatever their names.
///
/// A file that was deleted and is still open does not count; no measured program has one.
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

    /// Stops measuring, and returns the maximum in bytes.
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

    /// The apparent size, since the blocks of a file that is written in pieces are allocated later.
    private static func size(of folder: String) -> Double {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.reduce(0) { sum, name in
            var about = stat()
            let status = unsafe lstat("\(folder)/\(name)", &about)
            return status == 0 ? sum + Double(about.st_size) : sum
        }
    }
}
