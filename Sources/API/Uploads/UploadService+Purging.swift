import Foundation
import Logging
import Releases
import Store
import Uploads

/// Removes uploads that are no longer needed.
extension UploadService {
    /// The most answers that are kept; the oldest are removed first.
    private static let mostAnswers = 1000
    /// Seconds without requests after which another run of a publisher continues the upload of an earlier
    /// one, unless its connection is known to have closed.
    private static let inheritance = 30.0
    /// Seconds without requests after which an upload may be removed for another one of the same token.
    private static let patience = 60.0

    /// Removes uploads that no client has used for a long time, and idle uploads of builds that have been
    /// published otherwise, so that they reserve no disk space; blocks.
    func purge() {
        let now = clock()
        let sessions = sessions
        let finished = sessions.map(\.record).filter { $0.state == .finished }
        let surplus = Set(
            finished.sorted { $0.touched < $1.touched }
                .prefix(max(0, finished.count - Self.mostAnswers)).map(\.identifier)
        )
        for session in sessions {
            let isStale =
                session.record.state == .receiving
                ? session.isAbandoned(at: now, for: limits.idleTime)
                : session.record.isStale(at: now, limits: limits)
            let isNeedless = isLeft(session, at: now) && isOvertaken(session.offer)
            guard isStale || isNeedless || surplus.contains(session.identifier) else { continue }
            do {
                try cancel(session)
            } catch {
                // Continue with the others.
                note(session.identifier, stays: error)
            }
        }
    }

    /// Removes the least recently used idle uploads of a token if one more would be too many; blocks.
    ///
    /// Clients that were disconnected and started again elsewhere leave abandoned uploads, which must not
    /// prevent the same token from publishing for a day. A client that returns to a removed upload gets the
    /// error that it does not exist, and starts again.
    func makeRoom(for token: String, at now: Date) {
        let own = sessions.filter { $0.token == token && $0.record.state != .finished }
        let surplus = own.count - limits.perToken + 1
        guard surplus > 0 else { return }
        let left = own.filter { $0.isIdle(at: now, for: Self.patience) }
            .sorted { $0.record.touched < $1.record.touched }
        for session in left.prefix(surplus) {
            do {
                try cancel(session)
            } catch {
                note(session.identifier, stays: error)
            }
        }
    }

    /// Removes an upload that is not in memory; blocks.
    ///
    /// - Returns: false if it could not be removed.
    func forget(_ upload: UploadIdentifier) -> Bool {
        do {
            try store.forget(upload)
            return true
        } catch {
            note(upload, stays: error)
            return false
        }
    }

    private func note(_ upload: UploadIdentifier, stays reason: StoreFailure) {
        logger.error(
            "a stale upload could not be removed",
            metadata: ["upload": "\(upload)", "reason": "\(reason)"],
        )
    }

    /// Whether the client has disconnected, as far as the server can know.
    func isLeft(_ session: UploadSession, at date: Date) -> Bool {
        session.isCut || session.isAbandoned(at: date, for: Self.inheritance)
    }

    /// Whether the build has already been published, or can no longer be, so that its bytes are not needed.
    private func isOvertaken(_ offer: UploadOffer) -> Bool {
        do {
            return try isInStore(offer)
        } catch {
            return error is ReleaseRefusal
        }
    }

    /// Checks that the app and channel of an offer accept a build: rejects an archived app, an end for a
    /// channel that cannot end, and a channel that has ended unless it gets a new end.
    func checkPlace(of offer: UploadOffer) throws {
        guard let identifier = offer.app else { return }
        // The final check is made when the app's record is written; for a remote store, a current read here
        // would cost a request.
        let app = try store.app(identifier, isCurrent: !store.isElsewhere)
        let now = clock()
        try ReleaseRefusal.checkUse(of: app)
        let end = offer.expires?.end(from: now)
        if end != nil { try ReleaseRefusal.checkEnd(of: offer.channel, in: app) }
        try ReleaseRefusal.checkOpening(of: offer.channel, until: end, in: app, at: now)
    }

    /// Whether a release already has these bytes, so that they need not be sent.
    func isInStore(_ offer: UploadOffer) throws -> Bool {
        guard let app = offer.app, let release = offer.release, let sha256 = offer.sha256,
            let there = try store.release(release, of: app)
        else { return false }
        try ReleaseRefusal.check(there, against: sha256, replace: offer.replace)
        guard let same = there.archive(sha256), same.size == offer.size else { return false }
        return try store.backend.facts(of: sha256)?.size == same.size
    }
}
