import Essentials
import Mirrors
import Releases
import Sandboxing
import Store

/// While a step runs, checks twice a second whether a user has cancelled the build, in any process, and how
/// much disk space it uses.
struct StepWatch: Sendable {
    let store: OTAStore
    let mirror: Mirror
    let run: MirrorRun
    /// The folder that contains everything of the build.
    let folder: String

    /// A limit of disk space that a step exceeded.
    enum Excess: Sendable, CustomStringConvertible {
        case disk(limit: Int)
        case lastSpace

        var description: String {
            switch self {
            case .disk(let limit):
                "used more than \(limit >> 20) MB of disk space and was killed"
            case .lastSpace: "filled the disk and was killed"
            }
        }
    }

    private static let beat = Duration.milliseconds(500)

    /// - Returns: how the step ended, and the limit for which it was killed, if any.
    func ending(
        of step: @escaping @Sendable () async throws -> ChildProcess.Ending
    ) async throws -> (ChildProcess.Ending, Excess?) {
        try await withThrowingTaskGroup(of: Event.self) { tasks in
            tasks.addTask { .ended(try await step()) }
            tasks.addTask { await cancelled() }
            tasks.addTask { await exceeded() }
            var ending: ChildProcess.Ending?
            var excess: Excess?
            while let event = try await tasks.next() {
                switch event {
                case .ended(let how): ending = ending ?? how
                case .exceeded(let what): excess = ending == nil ? what : nil
                case .nothing: break
                }
                tasks.cancelAll()
            }
            return (ending ?? .cancelled, excess)
        }
    }

    private enum Event: Sendable {
        case ended(ChildProcess.Ending)
        case exceeded(Excess)
        case nothing
    }

    private func cancelled() async -> Event {
        while await !isToBeCancelled() {
            try? await Task.sleep(for: Self.beat)
            if Task.isCancelled { break }
        }
        return .nothing
    }

    private func isToBeCancelled() async -> Bool {
        await blocking { (try? store.run(run.number, of: mirror.name)?.cancelledBy) != nil }
    }

    /// A large folder is measured less often, so that measuring never takes more than a tenth of the time.
    private func exceeded() async -> Event {
        let limit = mirror.limits.diskBytes ?? MirrorLimits.defaultDiskBytes
        let clock = ContinuousClock()
        var pause = Duration.zero
        var next = clock.now
        while !Task.isCancelled {
            let folder = folder
            if await blocking({ !DiskUse.hasSpace(folder) }) { return .exceeded(.lastSpace) }
            if clock.now >= next {
                let start = clock.now
                let use = await blocking { DiskUse(of: folder, enough: limit) }
                if use.bytes > limit { return .exceeded(.disk(limit: limit)) }
                pause = (clock.now - start) * 10
                next = clock.now + pause
            }
            try? await Task.sleep(for: Self.beat)
        }
        return .nothing
    }
}
