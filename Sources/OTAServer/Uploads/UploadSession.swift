import Cryptography
import Foundation
import Publishing
import Store
import Synchronization
import Uploads

/// One upload: its bytes on disk, the digest of them, and how it stands.
///
/// What blocks is called on threads that may wait. Whoever sends bytes or asks for the offset takes
/// the upload over; the one before learns it with its next window, so that a connection which is
/// dead on the other end keeps nobody waiting.
final class UploadSession: Sendable {
    /// A right to append, until the next one is given out.
    struct Turn: Sendable {
        fileprivate let number: Int
        /// Where the next byte belongs.
        let offset: Int
    }

    private struct Work {
        var file: (any ResumableBlob)?
        var turn = 0
        var count: Int
        /// Over all bytes there are; nil once some came that this life of the server has not seen.
        var hasher: SHA256Hasher?
        /// Bytes that are known to outlast a power cut.
        var lasting: Int
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
        work = Mutex(
            Work(
                file: nil,
                count: count,
                hasher: count == 0 ? SHA256Hasher() : nil,
                lasting: min(record.lasting, count),
            )
        )
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
            )
        }
    }

    /// Bytes that have not come.
    var missing: Int {
        shown.withLock { $0.record.state == .receiving ? offer.size - $0.offset : 0 }
    }

    /// Whether nobody is at it, and nobody was for `seconds`.
    func isAbandoned(at date: Date, for seconds: Double) -> Bool {
        shown.withLock {
            $0.active == 0 && $0.record.state == .receiving
                && date.timeIntervalSince($0.record.touched) > seconds
        }
    }

    /// Whether the connection of whoever sent last has ended in the middle.
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

    /// Ends the turn of whoever had it, and makes sure that what has come lasts.
    func takeOver(at date: Date) throws -> Turn {
        let turn = try work.withLock { work in
            work.turn += 1
            if work.lasting < work.count {
                try open(&work).sync()
                try acknowledge(&work, at: date)
            }
            return Turn(number: work.turn, offset: work.count)
        }
        // Fewer than before, where somebody has been at the file.
        shown.withLock { $0.offset = turn.offset }
        return turn
    }

    /// Appends a window.
    func append(_ window: FullWindow, _ turn: Turn) throws {
        let count = try work.withLock { work in
            guard work.turn == turn.number else { throw UploadRefusal.takenOver }
            let file = try open(&work)
            try unsafe file.append(window.bytes)
            unsafe work.hasher?.update(window.bytes)
            work.count = file.count
            return work.count
        }
        shown.withLock { $0.offset = count }
    }

    /// Makes what has come last, and lets go of the file.
    func rest(_ turn: Turn, at date: Date) throws {
        try work.withLock { work in
            guard work.turn == turn.number else { return }
            if work.lasting < work.count {
                try open(&work).sync()
                try acknowledge(&work, at: date)
            }
            work.file = nil
        }
    }

    private func open(_ work: inout Work) throws(StoreFailure) -> any ResumableBlob {
        if let file = work.file { return file }
        let file = try store.bytes(of: identifier)
        if file.count != work.count {
            // More than may be believed, after a power cut; fewer, when somebody has been at the file.
            try file.truncate(to: min(work.count, file.count))
            work.hasher = file.count == 0 ? SHA256Hasher() : nil
            work.count = file.count
            work.lasting = min(work.lasting, file.count)
        }
        file.expect(offer.size)
        work.file = file
        return file
    }

    private func acknowledge(_ work: inout Work, at date: Date) throws {
        let count = work.count
        try change {
            $0.lasting = count
            $0.boot = MachineStart.identifier
            $0.touched = date.wholeSecond
        }
        work.lasting = count
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
    func complete(_ turn: Turn, at date: Date) throws -> Bool {
        try rest(turn, at: date)
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
        let sha256 = work.withLock { $0.hasher?.finish() }
        work.withLock { $0.hasher = nil }
        return (try store.bytes(of: identifier), sha256)
    }

    func show(_ progress: PublishProgress) {
        shown.withLock { $0.progress = progress }
    }

    /// Keeps the answer for whoever asks, and lets go of the bytes.
    func finish(_ answer: UploadAnswer, at date: Date) throws {
        try change {
            $0.state = .finished
            $0.answer = answer
            $0.touched = date.wholeSecond
        }
        work.withLock { $0.file = nil }
        defer { wake(with: answer) }
        try store.dropBytes(of: identifier)
    }

    /// Goes back to waiting for bytes, of which there are as many as before, or none with `dropping`.
    func retreat(_ failure: UploadAnswer?, dropping: Bool = false) throws {
        if dropping {
            try work.withLock { work in
                work = Work(
                    file: nil,
                    turn: work.turn + 1,
                    count: 0,
                    hasher: SHA256Hasher(),
                    lasting: 0,
                )
                try store.dropBytes(of: identifier)
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

    /// Lets nobody wait any longer.
    func stop() {
        shown.withLock { $0.isStopped = true }
        wake(with: nil)
    }

    private func wake(with answer: UploadAnswer?) {
        let waiting = shown.withLock { shown in
            defer { shown.waiting = [] }
            return shown.waiting
        }
        for continuation in waiting { continuation.resume(returning: answer) }
    }
}
