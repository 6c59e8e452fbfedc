import Cryptography
import Foundation
import HTTPServing
import Logging
import Publishing
import Store
import Synchronization
import Uploads

/// The right of one request to append to an upload, until another request takes it over.
struct WriteLease: Sendable {
    fileprivate let number: Int
    /// Where the next byte belongs.
    let offset: Int
}

/// One upload: its bytes on disk, the digest of them, and how it stands.
///
/// What blocks is called on threads that may wait. A request that sends bytes or asks for the
/// offset takes the upload over; the earlier request finds that out with its next window, so that a
/// dead connection does not block the upload.
final class UploadSession: Sendable {
    private struct Work {
        var bytes: UploadBytes
        var lease = 0
    }

    private struct Shown {
        var record: UploadRecord
        var offset: Int
        var active = 0
        var isCut = false
        var isStopped = false
        var progress: PublishProgress?
        /// Why the last attempt to publish ended without an answer that lasts.
        var failure: UploadAnswer?
        var waiting: [CheckedContinuation<UploadAnswer?, Never>] = []
    }

    let identifier: UploadIdentifier
    let token: String
    let offer: UploadOffer
    private let store: OTAStore
    private let work: Mutex<Work>
    private let shown: Mutex<Shown>

    /// A session over a record that the store keeps, and `count` bytes that it has.
    init(_ record: UploadRecord, count: Int, in store: OTAStore) {
        identifier = record.identifier
        token = record.token
        offer = record.offer
        self.store = store
        work = Mutex(Work(bytes: UploadBytes(of: record, count: count, in: store)))
        shown = Mutex(Shown(record: record, offset: count))
    }

    // MARK: How it stands

    var record: UploadRecord { shown.withLock { $0.record } }

    var failure: UploadAnswer? { shown.withLock { $0.failure } }

    var status: UploadStatus {
        shown.withLock { shown in
            let isPublishing = shown.record.state == .publishing
            return UploadStatus(
                upload: identifier,
                state: shown.record.state,
                offset: shown.record.state == .receiving ? shown.offset : offer.size,
                size: offer.size,
                phase: isPublishing ? shown.progress?.phase.rawValue ?? "queued" : nil,
                fraction: isPublishing ? shown.progress?.fraction ?? 0 : nil,
                status: shown.record.answer?.status ?? shown.failure?.status,
                checkOnly: shown.record.isCheck ? true : nil,
            )
        }
    }

    /// Bytes that have not come.
    var missing: Int {
        shown.withLock { $0.record.state == .receiving ? offer.size - $0.offset : 0 }
    }

    /// Bytes that room is reserved for: none where no request brings any, and none has for `seconds`.
    func reserved(at date: Date, for seconds: Double) -> Int {
        isAbandoned(at: date, for: seconds) ? 0 : missing
    }

    /// Whether no request has used it for `seconds`.
    func isAbandoned(at date: Date, for seconds: Double) -> Bool {
        shown.withLock {
            $0.active == 0 && $0.record.state == .receiving
                && date.timeIntervalSince($0.record.touched) > seconds
        }
    }

    /// Whether no one has used it for `seconds`: neither sent bytes, nor chosen what becomes of a checked build.
    func isIdle(at date: Date, for seconds: Double) -> Bool {
        let record = record
        return record.state == .checked
            ? date.timeIntervalSince(record.touched) > seconds
            : isAbandoned(at: date, for: seconds)
    }

    /// Whether the connection of the last sender ended before its request was complete.
    var isCut: Bool {
        shown.withLock { $0.active == 0 && $0.record.state == .receiving && $0.isCut }
    }

    func began() {
        shown.withLock {
            $0.active += 1
            $0.isCut = false
        }
    }

    func ended(cut: Bool) {
        shown.withLock {
            $0.active -= 1
            $0.isCut = cut
        }
    }

    // MARK: Bytes

    /// Ends the lease of the request that held it, and makes sure that what has come lasts.
    func takeOver(at date: Date) throws -> WriteLease {
        try work.withLock { work in
            work.lease += 1
            try settle(&work, at: date)
            return WriteLease(number: work.lease, offset: work.bytes.count)
        }
    }

    /// Lets go of what has come, for a client that sends all of it again.
    ///
    /// - Returns: the same lease, where nothing has come yet.
    func restart(_ lease: WriteLease, at date: Date) throws -> WriteLease {
        try work.withLock { work in
            guard work.lease == lease.number else { throw UploadRefusal.takenOver }
            // Said before it is done: bytes that are gone must not count as durable.
            try change {
                $0.lasting = 0
                $0.touched = date.wholeSecond
            }
            try work.bytes.drop()
            shown.withLock { $0.offset = 0 }
            return WriteLease(number: lease.number, offset: 0)
        }
    }

    /// Appends a window.
    func append(_ window: FullWindow, _ lease: WriteLease) throws {
        let count = try work.withLock { work in
            guard work.lease == lease.number else { throw UploadRefusal.takenOver }
            try work.bytes.append(window)
            return work.bytes.count
        }
        shown.withLock { $0.offset = count }
    }

    /// Makes the received bytes durable, and closes the file.
    func rest(_ lease: WriteLease, at date: Date) throws {
        try work.withLock { work in
            guard work.lease == lease.number else { return }
            try settle(&work, at: date)
            work.bytes.close()
        }
    }

    /// Ends the lease of the request that held it and lets go of the file, whatever the disk says to that: for an
    /// upload that is given up.
    func end() {
        work.withLock { work in
            work.lease += 1
            work.bytes.close()
        }
    }

    private func settle(_ work: inout Work, at date: Date) throws {
        // Fewer than before if another program has truncated the file, or the disk has lost some.
        defer { shown.withLock { [count = work.bytes.count] in $0.offset = count } }
        try work.bytes.settle { count in
            try change {
                $0.lasting = count
                $0.boot = MachineStart.identifier
                $0.touched = date.wholeSecond
            }
        }
    }

    /// Changes the record, in the store and then here.
    func change(_ change: (inout UploadRecord) throws -> Void) throws {
        let record = try store.changeUpload(identifier, change)
        shown.withLock { $0.record = record }
    }

    // MARK: Publishing

    /// Marks that everything has come.
    ///
    /// - Returns: false when that was known already.
    func complete(_ lease: WriteLease, at date: Date) throws -> Bool {
        try rest(lease, at: date)
        guard record.state == .receiving else { return false }
        var isFirst = false
        // Of two that say so at once, one is the first.
        try change {
            guard $0.state == .receiving else { return }
            isFirst = true
            $0.state = .publishing
            $0.touched = date.wholeSecond
        }
        if isFirst { shown.withLock { $0.failure = nil } }
        return isFirst
    }

    /// The bytes and, where all of them came in this life of the server, their digest.
    func whole() throws -> (blob: any ResumableBlob, sha256: SHA256Digest?) {
        let sha256 = work.withLock { $0.bytes.digest() }
        return (try store.bytes(of: identifier), sha256)
    }

    func show(_ progress: PublishProgress) {
        shown.withLock { $0.progress = progress }
    }

    /// Stores the answer for later requests, and removes the bytes.
    ///
    /// An answer that is kept is the last word: bytes that cannot be removed now go when it does.
    func finish(_ answer: UploadAnswer, at date: Date, logger: Logger) throws {
        try change {
            $0.state = .finished
            $0.answer = answer
            $0.touched = date.wholeSecond
        }
        work.withLock { $0.bytes.close() }
        do {
            try store.dropBytes(of: identifier)
        } catch {
            logger.error(
                "the bytes of an upload could not be removed",
                metadata: ["upload": "\(identifier)", "reason": "\(error)"],
            )
        }
        wake(with: answer)
    }

    /// Goes back to waiting for bytes, of which there are as many as before, or none with `dropping`.
    func retreat(_ failure: UploadAnswer?, dropping: Bool = false) throws {
        if dropping {
            try work.withLock { work in
                work.lease += 1
                try work.bytes.drop()
            }
        }
        let result = Result {
            try change {
                $0.state = .receiving
                $0.attempts = nil
                if dropping { $0.lasting = 0 }
            }
        }
        shown.withLock { shown in
            if dropping { shown.offset = 0 }
            shown.record.state = .receiving
            shown.progress = nil
            shown.failure = failure
        }
        wake(with: failure)
        try result.get()
    }

    /// Waits for what the publish comes to; nil when the server stops before, or bytes are wanted.
    func answer() async -> UploadAnswer? {
        await withCheckedContinuation { continuation in
            let known: UploadAnswer?? = shown.withLock { shown in
                if let answer = shown.record.answer { return .some(answer) }
                if shown.isStopped || shown.record.state == .receiving {
                    return .some(shown.failure)
                }
                shown.waiting.append(continuation)
                return nil
            }
            if let known { continuation.resume(returning: known) }
        }
    }

    /// Resumes everything that waits for the answer.
    func stop() {
        shown.withLock { $0.isStopped = true }
        wake(with: nil)
    }

    func wake(with answer: UploadAnswer?) {
        let waiting = shown.withLock { shown in
            defer { shown.waiting = [] }
            return shown.waiting
        }
        for continuation in waiting { continuation.resume(returning: answer) }
    }
}
