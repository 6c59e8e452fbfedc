import Access
import Foundation
import Store
import Uploads

/// Computes the disk space that uploads have reserved, and each uploader's share of the limits.
extension UploadService {
    /// The totals of the unfinished uploads among `sessions`, for the limits of a new one.
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
    /// Someone who gets another sign-in link has another session, but not another share.
    func isOwn(_ session: UploadSession, _ principal: Principal) -> Bool {
        session.token == principal.uploader
            || principal.session != nil && session.record.publisher == principal.name
                && Principal.session(ofUploader: session.token) != nil
    }

    /// Checks that receiving bytes leaves the disk space that must stay free; blocks.
    ///
    /// An upload for which space is no longer reserved must fit beside the others, like a new one.
    func leaveRoom(for count: Int, of session: UploadSession, hasPromise: Bool) throws {
        guard let free = try store.backend.freeSpace() else { return }
        let others = hasPromise ? 0 : reserved(beside: session.identifier)
        try limits.leaveRoom(for: count, beside: others, free: free)
    }

    /// The reserved bytes of all uploads, without one of them if given.
    func reserved(beside upload: UploadIdentifier? = nil) -> Int {
        let now = clock()
        return sessions.filter { $0.identifier != upload }
            .reduce(0) { $0 + $1.reserved(at: now, for: limits.promiseTime) }
    }
}
