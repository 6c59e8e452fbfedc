import Access
import Foundation
import Synchronization

/// Passes secrets from the action that created them to the page that shows them, once.
///
/// An action answers with a redirect, so that reloading sends no form twice. Until that page is requested
/// the secret waits here: only in memory, for the session that created it, and for a short time.
final class OneTimeSecrets: Sendable {
    enum Secret: Equatable, Sendable {
        case token(String)
        case webhook(String)
        /// The command that starts a runner's agent.
        case runner(String)
        case invitation(link: String, digits: String)
    }

    /// Seconds for which a secret waits for its page.
    static let lifetime: TimeInterval = 60
    /// The most secrets that wait at once; beyond that the oldest is dropped.
    static let mostWaiting = 64

    private struct Waiting {
        let identifier: String
        let session: Session
        let secret: Secret
        let made: Date
    }

    private let waiting = Mutex<[Waiting]>([])

    /// Keeps a secret for the page of the object that `identifier` names.
    func keep(_ secret: Secret, as identifier: String, for session: Session, at date: Date) {
        waiting.withLock { waiting in
            waiting.removeAll { $0.identifier == identifier || !Self.isFresh($0, at: date) }
            if waiting.count >= Self.mostWaiting { waiting.removeFirst() }
            waiting.append(
                Waiting(identifier: identifier, session: session, secret: secret, made: date)
            )
        }
    }

    /// - Returns: nil for a secret that was shown, has expired, or belongs to another session.
    func take(_ identifier: String, for session: Session, at date: Date) -> Secret? {
        waiting.withLock { waiting in
            waiting.removeAll { !Self.isFresh($0, at: date) }
            let index = waiting.firstIndex {
                $0.identifier == identifier && $0.session == session
            }
            return index.map { waiting.remove(at: $0).secret }
        }
    }

    /// Setting the clock back must not extend the time.
    private static func isFresh(_ waiting: Waiting, at date: Date) -> Bool {
        abs(date.timeIntervalSince(waiting.made)) < lifetime
    }
}
