import Access
import SiteServices
import Symbols
import Synchronization
import Uploads

/// Limits how many archives of dSYMs are received at the same time: per publisher, per network and in
/// total.
final class SymbolPlaces: Sendable {
    private struct State {
        var ofOne: [String: Int] = [:]
        var ofNetwork: [Guesser: Int] = [:]
        var all = 0
        /// Bytes announced by archives that are being received.
        var promised = 0
    }

    /// An archive that is being received.
    struct Place: Sendable {
        let uploader: String
        let network: Guesser
    }

    private let limits: SymbolUploadLimits
    private let state = Mutex(State())

    init(limits: SymbolUploadLimits) {
        self.limits = limits
    }

    /// Bytes announced by archives that are being received.
    var promised: Int { state.withLock(\.promised) }

    /// Counts an archive if the limits allow it.
    ///
    /// - Throws: `SymbolRefusal.tooManyAtOnce` at the limit of a publisher, and `Refusal.overloaded` at the
    ///   limit of a network or in total.
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

    /// Adds to the announced bytes, or subtracts if negative.
    func promise(_ bytes: Int) {
        state.withLock { $0.promised += bytes }
    }
}

/// Cancels the reception of an archive that arrives too slowly.
final class SymbolPace: Sendable {
    private let count = Atomic(0)
    private let isSlow = Atomic(false)

    /// Whether the reception was cancelled for this reason.
    var wasTooSlow: Bool { isSlow.load(ordering: .relaxed) }

    func arrived(_ bytes: Int) {
        count.add(bytes, ordering: .relaxed)
    }

    /// Runs `receive`, and cancels it once fewer bytes arrive in an interval than the limits require.
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
            // The watching task returns first only if the archive is too slow; `receive` then reports that
            // it was interrupted.
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
