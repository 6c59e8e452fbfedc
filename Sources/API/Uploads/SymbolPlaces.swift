import Access
import SiteServices
import Symbols
import Synchronization
import Uploads

/// Bounds how many archives of dSYMs arrive at once, of one publisher, of one network and in all.
final class SymbolPlaces: Sendable {
    private struct State {
        var ofOne: [String: Int] = [:]
        var ofNetwork: [Guesser: Int] = [:]
        var all = 0
        /// Bytes that those that are on their way have announced.
        var promised = 0
    }

    /// The place of one archive.
    struct Place: Sendable {
        let uploader: String
        let network: Guesser
    }

    private let limits: SymbolUploadLimits
    private let state = Mutex(State())

    init(limits: SymbolUploadLimits) {
        self.limits = limits
    }

    /// Bytes that those that are on their way have announced.
    var promised: Int { state.withLock(\.promised) }

    /// - Throws: `SymbolRefusal.tooManyAtOnce` for a publisher who sends as many as one may, and
    ///   `Refusal.overloaded` where a network or all send so many.
    func enter(_ place: Place) throws {
        let isFree = try state.withLock { state in
            guard state.ofOne[place.uploader, default: 0] < limits.ofOne else {
                throw SymbolRefusal.tooManyAtOnce(limit: limits.ofOne)
            }
            guard state.all < limits.all,
                state.ofNetwork[place.network, default: 0] < limits.ofNetwork
            else { return false }
            state.ofOne[place.uploader, default: 0] += 1
            state.ofNetwork[place.network, default: 0] += 1
            state.all += 1
            return true
        }
        guard isFree else { throw Refusal.overloaded }
    }

    func leave(_ place: Place) {
        state.withLock { state in
            state.all -= 1
            let own = (state.ofOne[place.uploader] ?? 1) - 1
            state.ofOne[place.uploader] = own > 0 ? own : nil
            let near = (state.ofNetwork[place.network] ?? 1) - 1
            state.ofNetwork[place.network] = near > 0 ? near : nil
        }
    }

    /// Notes that so many more bytes, or with a negative number fewer, are to come.
    func promise(_ bytes: Int) {
        state.withLock { $0.promised += bytes }
    }
}

/// Ends the arrival of an archive that comes too slowly.
final class SymbolPace: Sendable {
    private let count = Atomic(0)
    private let isSlow = Atomic(false)

    /// Whether the arrival was ended for this reason.
    var wasTooSlow: Bool { isSlow.load(ordering: .relaxed) }

    func arrived(_ bytes: Int) {
        count.add(bytes, ordering: .relaxed)
    }

    /// Runs `receive`, and cancels it after a while in which fewer bytes came than the limits ask for.
    func watch<Result: Sendable>(
        _ limits: SymbolUploadLimits,
        while receive: @escaping @Sendable () async throws -> Result,
    ) async throws -> Result {
        let least = Int(Double(limits.rate) * (limits.pace / .seconds(1)))
        return try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask { try await receive() }
            group.addTask {
                var seen = 0
                while true {
                    try await Task.sleep(for: limits.pace)
                    let now = self.count.load(ordering: .relaxed)
                    guard now - seen >= least else {
                        self.isSlow.store(true, ordering: .relaxed)
                        return nil
                    }
                    seen = now
                }
            }
            // The watch ends first only where the archive is too slow; `receive` then says that it was cut.
            while let found = try await group.next() {
                if let found {
                    group.cancelAll()
                    return found
                }
                group.cancelAll()
            }
            throw CancellationError()
        }
    }
}
