import Access
import Cryptography
import Foundation
import HTTPTypes
import SiteServices
import Synchronization

/// What the last form of each session led to, so that the same form sent twice gets one answer.
///
/// A browser without our script sends a form twice where someone clicks twice, and shows the second
/// answer alone: that a name is taken, say, of the token that the first has just made. What the second is
/// refused because of the first is answered as the first was.
final class RepeatedForms: Sendable {
    /// One form: who sent what, and where to.
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

    /// Seconds after which a form is a new one.
    static let lifetime: TimeInterval = 10
    /// Sessions whose last form is known; beyond them the oldest is dropped.
    static let mostKept = 64

    private struct Kept {
        let key: Key
        let outcome: AdminOutcome
        let date: Date
    }

    private struct State {
        var kept: [Kept] = []
        /// How many of each are being done.
        var running: [Key: Int] = [:]
    }

    private let state = Mutex(State())

    /// Does what a form asks for, or says what the same form has led to a moment ago.
    ///
    /// It may wait for the same form, which is being done by another thread.
    ///
    /// - Parameters:
    ///   - key: the form.
    ///   - date: now.
    ///   - act: does it.
    /// - Returns: the way on.
    /// - Throws: what `act` throws.
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
        // What a page says is no success.
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

    /// Whether it may be that the same form was quicker.
    private static func isRefusal(_ outcome: Result<AdminOutcome, any Error>) -> Bool {
        let status: HTTPResponse.Status? =
            switch outcome {
            case .success(.again(_, let status)): status
            case .success: nil
            case .failure(let error): AdminGate.status(of: error)
            }
        return [.notFound, .conflict, .gone, .preconditionFailed].contains(status)
    }

    /// A clock that was set back must not extend the time.
    private static func isFresh(_ kept: Kept, at date: Date) -> Bool {
        abs(date.timeIntervalSince(kept.date)) < lifetime
    }

    /// Two seconds of them; what a form does takes milliseconds.
    private static let looks = 100
    /// In microseconds.
    private static let pause: UInt32 = 20_000
}
