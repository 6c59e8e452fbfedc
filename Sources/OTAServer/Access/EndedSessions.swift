import Access
import Foundation
import Synchronization

/// Admins' sessions that were ended before their time: a copy of the cookie opens nothing any more.
///
/// Known to this process: behind a restart a copied cookie opens again until its hours are over,
/// unless its holder signed out everywhere, which ends the token.
final class EndedSessions: Sendable {
    /// By what tells a session from every other, with the end that it had anyway.
    private let ended = Mutex<[String: Date]>([:])

    func end(_ session: Session, at date: Date) {
        ended.withLock { ended in
            ended = ended.filter { $0.value > date }
            ended[Self.key(session)] = session.expires
        }
    }

    func contains(_ session: Session) -> Bool {
        ended.withLock { $0[Self.key(session)] != nil }
    }

    private static func key(_ session: Session) -> String {
        "\(session.subject)~\(session.generation)~\(session.expires.timeIntervalSince1970)"
    }
}
