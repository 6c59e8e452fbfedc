import Access
import Foundation
import Synchronization

/// Secrets on their way from the action that made them to the page that shows them, once.
///
/// An action answers with a redirect, so that a reload sends no form twice. The secret waits here for
/// the page meanwhile: in memory only, for the session that asked for it, and not for long.
final class OneTimeSecrets: Sendable {
    enum Secret: Equatable, Sendable {
        case token(String)
        case webhook(String)
        /// The line that starts the agent of a runner.
        case runner(String)
        case invitation(link: String, digits: String)
    }

    /// Seconds that a secret waits for its page.
    static let lifetime: TimeInterval = 60
    /// Secrets that wait at once; beyond them the oldest is dropped.
    static let mostWaiting = 64

    private struct Waiting {
        let identifier: String
        let session: Session
        let secret: Secret
        let made: Date
    }

    private let waiting = Mutex<[Waiting]>([])

    /// Keeps a secret for the page of what `identifier` names.
    func keep(_ secret: Secret, as identifier: String, for session: Session, at date: Date) {
        waiting.withLock { waiting in
            waiting.removeAll { $0.identifier == identifier || !Self.isFresh($0, at: date) }
            if waiting.count >= Self.mostWaiting { waiting.removeFirst() }
            waiting.append(
                Waiting(identifier: identifier, session: session, secret: secret, made: date)
            )
        }
    }

    /// - Returns: nil for a secret that was shown, has waited too long, or is another session's.
    func take(_ identifier: String, for session: Session, at date: Date) -> Secret? {
        waiting.withLock { waiting in
            waiting.removeAll { !Self.isFresh($0, at: date) }
            let index = waiting.firstIndex {
                $0.identifier == identifier && $0.session == session
            }
            return index.map { waiting.remove(at: $0).secret }
        }
    }

    /// A clock that was set back must not extend the time.
    private static func isFresh(_ waiting: Waiting, at date: Date) -> Bool {
        abs(date.timeIntervalSince(waiting.made)) < lifetime
    }
}
