import Access
import Cryptography
import Foundation
import HTTPTypes
import SiteServices
import Synchronization

/// Remembers the outcome of each session's last form, so that the same form sent twice has one outcome.
///
/// On a double click, a browser without our script sends a form twice and shows only the second response,
/// for example that the name is taken by the token that the first one has just created. If the second is
/// refused because of the first, it gets the outcome of the first.
final class RepeatedForms: Sendable {
    /// A form, with the session that sent it and its path.
    struct Key: Hashable, Sendable {
        private let session: String
        private let path: String
        private let fields: SHA256Digest

        init(_ form: FormBody, to path: String, in session: Session) {
            self.session = "\(session.subject) \(session.generation)"
            self.path = path
            fields = form.digest
        }

        fileprivate func isOfSession(of other: Key) -> Bool { session == other.session }
    }

    /// Seconds for which an outcome is kept.
    static let lifetime: TimeInterval = 10
    /// The most sessions whose last form is kept; beyond that the oldest is dropped.
    static let mostKept = 64

    private struct Kept {
        let key: Key
        let outcome: AdminOutcome
        let date: Date
    }

    private struct State {
        var kept: [Kept] = []
        /// The number of identical forms being handled.
        var running: [Key: Int] = [:]
    }

    private let state = Mutex(State())

    /// Performs a form's action, or returns the outcome of the same form if that was sent a moment ago.
    ///
    /// May block while another thread handles the same form.
    ///
    /// - Parameters:
    ///   - key: the form.
    ///   - date: the current time.
    ///   - act: performs the action.
    /// - Returns: the outcome.
    /// - Throws: the error of `act`.
    func answer(
        _ key: Key,
        at date: Date,
        _ act: () throws -> AdminOutcome,
    ) throws -> AdminOutcome {
        state.withLock { $0.running[key, default: 0] += 1 }
        var isRunning = true
        func end() {
            guard isRunning else { return }
            isRunning = false
            state.withLock { state in
                let left = (state.running[key] ?? 1) - 1
                state.running[key] = left > 0 ? left : nil
            }
        }
        defer { end() }
        let outcome = Result { try act() }
        guard Self.isRefusal(outcome) else {
            let result = try outcome.get()
            keep(result, of: key, at: date)
            return result
        }
        end()
        for _ in 0..<Self.looks {
            if let first = kept(key, at: date) { return first }
            guard state.withLock({ $0.running[key] != nil }) else { break }
            usleep(Self.pause)
        }
        return try outcome.get()
    }

    private func keep(_ outcome: AdminOutcome, of key: Key, at date: Date) {
        // The outcome `again` means that nothing was changed.
        if case .again = outcome { return }
        state.withLock { state in
            state.kept.removeAll { $0.key.isOfSession(of: key) || !Self.isFresh($0, at: date) }
            if state.kept.count >= Self.mostKept { state.kept.removeFirst() }
            state.kept.append(Kept(key: key, outcome: outcome, date: date))
        }
    }

    private func kept(_ key: Key, at date: Date) -> AdminOutcome? {
        state.withLock { state in
            state.kept.first { $0.key == key && Self.isFresh($0, at: date) }?.outcome
        }
    }

    /// Returns whether an identical form that was faster may have caused the outcome.
    private static func isRefusal(_ outcome: Result<AdminOutcome, any Error>) -> Bool {
        let status: HTTPResponse.Status? =
            switch outcome {
            case .success(.again(_, let status)): status
            case .success: nil
            case .failure(let error): AdminGate.status(of: error)
            }
        return [.notFound, .conflict, .gone, .preconditionFailed].contains(status)
    }

    /// Setting the clock back must not extend the time.
    private static func isFresh(_ kept: Kept, at date: Date) -> Bool {
        abs(date.timeIntervalSince(kept.date)) < lifetime
    }

    /// Checks for the other form's outcome: two seconds in all, while forms take milliseconds.
    private static let looks = 100
    /// The time between checks in microseconds.
    private static let pause: UInt32 = 20_000
}
