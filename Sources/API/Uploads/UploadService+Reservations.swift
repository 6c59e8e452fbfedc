import Access
import Foundation
import Store
import Uploads

/// The disk space that running uploads have reserved, and their share of the server's limits.
extension UploadService {
    /// What the unfinished uploads among `sessions` come to, for the limits of a new one.
    func load(
        of sessions: [UploadSession],
        for principal: Principal,
        at now: Date,
    ) -> UploadLoad {
        var load = UploadLoad()
        for session in sessions where session.record.state != .finished {
            load.all += 1
            load.missing += session.reserved(at: now, for: limits.promiseTime)
            guard isOwn(session, principal) else { continue }
            load.own += 1
            load.ownBytes += session.offer.size
        }
        return load
    }

    /// Whether an upload counts towards the share of `principal`.
    ///
    /// Someone who gets another link has another session, and no further share.
    func isOwn(_ session: UploadSession, _ principal: Principal) -> Bool {
        session.token == principal.uploader
            || principal.session != nil && session.record.publisher == principal.name
                && Principal.session(ofUploader: session.token) != nil
    }

    /// Refuses bytes that would use up the disk space to keep free; blocks.
    ///
    /// An upload for which room is no longer reserved has to fit beside the others, as a new one has.
    func leaveRoom(for count: Int, of session: UploadSession, hasPromise: Bool) throws {
        guard let free = try store.backend.freeSpace() else { return }
        let others = hasPromise ? 0 : reserved(beside: session.identifier)
        try limits.leaveRoom(for: count, beside: others, free: free)
    }

    /// Bytes that room is reserved for, those of one upload left out.
    func reserved(beside upload: UploadIdentifier? = nil) -> Int {
        let now = clock()
        return sessions.filter { $0.identifier != upload }
            .reduce(0) { $0 + $1.reserved(at: now, for: limits.promiseTime) }
    }
}
