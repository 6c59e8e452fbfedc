import Cryptography
import Foundation
import HTTPServing
import Logging
import Publishing
import Store
import Synchronization
import Uploads

/// The right of a request to append to an upload, until another request takes it over.
struct WriteLease: Sendable {
    fileprivate let number: Int
    /// The offset of the next byte.
    let offset: Int
}

/// An upload: its bytes on disk, their digest, and its state.
///
/// Blocking methods are called on threads that may block. A request that sends bytes or asks for the offset
/// takes over the upload; an earlier request fails when it appends its next window, so that a dead
/// connection does not block the upload.
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
        /// The error of the last attempt to publish, if it is not final.
        var failure: UploadAnswer?
        var waiting: [CheckedContinuation<UploadAnswer?, Never>] = []
    }

    let identifier: UploadIdentifier
    let token: String
    let offer: UploadOffer
    private let store: OTAStore
    private let work: Mutex<Work>
    private let shown: Mutex<Shown>

    /// Creates a session for a stored record, of which `count` bytes have been received.
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

    /// The number of bytes that have not been received.
    var missing: Int {
        shown.withLock { $0.record.state == .receiving ? offer.size - $0.offset : 0 }
    }

    /// The number of bytes for which space is reserved: 0 if no request is active and none has been for
    /// `seconds`.
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

    /// Whether it has not been used for `seconds`: no bytes were sent, or a checked build was neither
    /// published nor removed.
    func isIdle(at date: Date, for seconds: Double) -> Bool {
        let record = record
        return record.state == .checked
            ? date.timeIntervalSince(record.touched) > seconds
            : isAbandoned(at: date, for: seconds)
    }

    /// Whether the connection of the last sender closed before its request was complete.
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

    /// Ends the lease of an earlier request, and makes the bytes received so far durable.
    func takeOver(at date: Date) throws -> WriteLease {
        try work.withLock { work in
            work.lease += 1
            try settle(&work, at: date)
            return WriteLease(number: work.lease, offset: work.bytes.count)
        }
    }

    /// Discards the received bytes, for a client that sends all of them again.
    ///
    /// - Returns: the same lease, at offset 0.
    func restart(_ lease: WriteLease, at date: Date) throws -> WriteLease {
        try work.withLock { work in
            guard work.lease == lease.number else { throw UploadRefusal.takenOver }
            // Recorded first, because removed bytes must not count as durable.
            try change {
                $0.lasting = 0
                $0.touched = date.wholeSecond
            }
            try work.bytes.drop()
            shown.withLock { $0.offset = 0 }
            return WriteLease(number: lease.number, offset: 0)
        }
    }

    /// Appends a window of bytes.
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

    /// Ends the lease of an earlier request and closes the file, ignoring errors of the disk: for an upload
    /// that is cancelled.
    func end() {
        work.withLock { work in
            work.lease += 1
            work.bytes.close()
        }
    }

    private func settle(_ work: inout Work, at date: Date) throws {
        // There may be fewer bytes than before if another program has truncated the file, or the disk has
        // lost some.
        defer { shown.withLock { [count = work.bytes.count] in $0.offset = count } }
        try work.bytes.settle { count in
            try change {
                $0.lasting = count
                $0.boot = MachineStart.identifier
                $0.touched = date.wholeSecond
            }
        }
    }

    /// Changes the record, in the store and then in memory.
    func change(_ change: (inout UploadRecord) throws -> Void) throws {
        let record = try store.changeUpload(identifier, change)
        shown.withLock { $0.record = record }
    }

    // MARK: Publishing

    /// Marks the upload as complete.
    ///
    /// - Returns: false if it already was.
    func complete(_ lease: WriteLease, at date: Date) throws -> Bool {
        try rest(lease, at: date)
        guard record.state == .receiving else { return false }
        var isFirst = false
        // Of two concurrent requests, only one is the first.
        try change {
            guard $0.state == .receiving else { return }
            isFirst = true
            $0.state = .publishing
            $0.touched = date.wholeSecond
        }
        if isFirst { shown.withLock { $0.failure = nil } }
        return isFirst
    }

    /// The bytes and, if all of them arrived during this run of the server, their digest.
    func whole() throws -> (blob: any ResumableBlob, sha256: SHA256Digest?) {
        let sha256 = work.withLock { $0.bytes.digest() }
        return (try store.bytes(of: identifier), sha256)
    }

    func show(_ progress: PublishProgress) {
        shown.withLock { $0.progress = progress }
    }

    /// Stores the answer for later requests, and removes the bytes.
    ///
    /// A stored answer is final: bytes that cannot be removed now are removed together with it.
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

    /// Returns to waiting for bytes, keeping those received or, with `dropping`, none.
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

    /// Waits for the result of the publish; nil if the server stops first, or the client must send bytes.
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

    /// Resumes everything that is waiting for the answer, without one.
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
