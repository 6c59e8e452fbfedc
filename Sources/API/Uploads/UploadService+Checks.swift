import APIDocuments
import Access
import Cryptography
import Foundation
import Logging
import Releases
import Store
import Uploads

/// Manages checked builds, which wait for a decision and are removed to make space for new ones.
extension UploadService {
    /// Removes the oldest checked files of a person or token if their share has no other space for a new
    /// upload; blocks.
    ///
    /// Removes nothing if that would not be enough.
    func makeRoom(for offer: UploadOffer, by principal: Principal, at now: Date) {
        let own = sessions.filter { $0.record.state != .finished && isOwn($0, principal) }
        let isContinued = own.contains { $0.offer == offer && $0.record.state == .receiving }
        guard offer.sha256 == nil || !isContinued else { return }
        let used = own.reduce(0) { $0 + $1.offer.size }
        let checked = own.filter { $0.record.state == .checked }
        let most = checked.reduce(0) { $0 + $1.offer.size }
        var surplus = used - limits.quota + min(offer.size, limits.largest)
        guard surplus > 0, most >= surplus else { return }
        for session in checked.sorted(by: { $0.record.touched < $1.record.touched }) {
            guard surplus > 0 else { return }
            if give(session) { surplus -= session.offer.size }
        }
    }

    /// Removes earlier checked uploads of the same bytes by the same uploader; blocks.
    func dropEarlierChecks(like session: UploadSession) {
        guard session.record.state == .checked, let digest = session.record.checkedDigest else {
            return
        }
        for other in sessions
        where other.identifier != session.identifier && other.token == session.token
            && other.record.state == .checked && other.record.checkedDigest == digest
        {
            _ = give(other)
        }
    }

    /// - Returns: false if it could not be removed.
    private func give(_ session: UploadSession) -> Bool {
        do {
            try cancel(session)
            return true
        } catch {
            logger.error(
                "a checked file could not be removed",
                metadata: ["upload": "\(session.identifier)", "reason": "\(error)"],
            )
            return false
        }
    }
}

extension UploadRecord {
    /// The SHA-256 that the check computed; nil before its result is known.
    fileprivate var checkedDigest: SHA256Digest? {
        guard let answer, answer.status < 300 else { return nil }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let document = try? decoder.decode(CheckedBytes.self, from: Data(answer.body.utf8))
        return document.flatMap { SHA256Digest(hex: $0.sha256) }
    }
}

/// The part of a `PublishDocument` that identifies the bytes.
private struct CheckedBytes: Decodable {
    let sha256: String
}
