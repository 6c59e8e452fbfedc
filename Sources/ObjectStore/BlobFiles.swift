import Bytes
import Cryptography
import Dispatch
import Essentials
import Store
import Synchronization

/// Blobs as files of this machine, fetched once however many readers wait, and bounded in total.
///
/// A file has the name of its digest only once all its bytes were compared with it, and one that an
/// earlier process left is compared again before it is given out. Those that were used longest ago are
/// removed first; a reader that has one open keeps it. Several processes may share the folder.
final class BlobFiles: Sendable {
    /// Gets the path of a blob, which is good for opening at once, or why there is none.
    typealias Waiter = @Sendable (Result<String, StoreFailure>) -> Void
    /// Opens a blob where it is fetched from.
    typealias Opening = @Sendable () throws(StoreFailure) -> StoredBlob

    private struct Fetch: Sendable {
        let blob: SHA256Digest
        let open: Opening
    }

    private struct State {
        var limit: Int
        var uses: [SHA256Digest: FileUse] = [:]
        /// Those who wait for a blob that is fetched, or is to be.
        var waiters: [SHA256Digest: [Waiter]] = [:]
        var queue: [Fetch] = []
        var running = 0
        /// Files that other programs work with, and until when they stay.
        var held: [SHA256Digest: Date] = [:]
        var damaged: [SHA256Digest: (failure: StoreFailure, until: Date)] = [:]
    }

    private let folder: BlobFolder
    private let now: @Sendable () -> Date
    private let state: Mutex<State>

    /// Blobs that are fetched at the same time; each takes 8 MB of memory.
    private static let most = 4
    /// Seconds for which a blob that arrived damaged is not fetched again.
    private static let grudge: TimeInterval = 60
    /// Seconds for which a file stays whose path another program has: as long as a build is signed.
    private static let hold: TimeInterval = 900

    /// - Parameters:
    ///   - folder: where the files are; made when the first one comes.
    ///   - limit: bytes of all files; of a blob that is larger, there is only itself.
    ///   - now: says what time it is.
    init(in folder: String, limit: Int, now: @escaping @Sendable () -> Date) {
        self.folder = BlobFolder(path: folder)
        self.now = now
        state = Mutex(State(limit: limit))
    }

    /// Bounds the files, and removes what is beyond that.
    func limit(to bytes: Int) {
        let uses = state.withLock { state in
            state.limit = bytes
            return state.uses
        }
        folder.makeRoom(for: 0, within: bytes, keeping: [], uses, at: now())
    }

    /// The path of a file that this process has compared with its digest; nil where it has none, and its
    /// blob has to be fetched.
    func pathAtHand(_ blob: SHA256Digest) -> String? {
        let now = now()
        let known = state.withLock { $0.uses[blob] }
        guard var use = known else { return nil }
        guard folder.has(blob) else {
            state.withLock { $0.uses[blob] = nil }
            return nil
        }
        if use.isToBeNoted(at: now) { folder.noteUse(of: blob, at: now) }
        use.note(now)
        state.withLock { $0.uses[blob] = use }
        return folder.path(of: blob)
    }

    /// Whether the blob arrived damaged a short time ago.
    func isDamaged(_ blob: SHA256Digest) -> Bool { damage(of: blob) != nil }

    private func damage(of blob: SHA256Digest) -> StoreFailure? {
        let now = now()
        return state.withLock { state in
            guard let known = state.damaged[blob] else { return nil }
            if known.until > now { return known.failure }
            state.damaged[blob] = nil
            return nil
        }
    }

    /// Fetches a blob, or joins those who wait for it; returns at once.
    ///
    /// - Parameters:
    ///   - blob: what is wanted.
    ///   - open: opens it where it has to be fetched.
    ///   - done: is called once, on a thread that may not be kept, perhaps before this returns.
    func fetch(_ blob: SHA256Digest, _ open: @escaping Opening, _ done: @escaping Waiter) {
        if let path = pathAtHand(blob) { return done(.success(path)) }
        if let failure = damage(of: blob) { return done(.failure(failure)) }
        state.withLock { state in
            if state.waiters[blob] == nil {
                state.queue.append(Fetch(blob: blob, open: open))
            }
            state.waiters[blob, default: []].append(done)
        }
        startNext()
    }

    /// The path of a blob for another program, which stays for a quarter of an hour whatever comes; waits
    /// while it is fetched.
    func held(
        _ blob: SHA256Digest,
        _ open: @escaping Opening,
    ) throws(StoreFailure) -> String {
        let end = now().addingTimeInterval(Self.hold)
        state.withLock { $0.held[blob] = end }
        let result = Mutex<Result<String, StoreFailure>?>(nil)
        let isThere = DispatchSemaphore(value: 0)
        fetch(blob, open) { found in
            result.withLock { $0 = found }
            isThere.signal()
        }
        isThere.wait()
        guard let found = result.withLock({ $0 }) else { throw .missingBlob(blob) }
        return try found.get()
    }

    private func startNext() {
        let next = state.withLock { state -> Fetch? in
            guard state.running < Self.most, !state.queue.isEmpty else { return nil }
            state.running += 1
            return state.queue.removeFirst()
        }
        guard let next else { return }
        if WorkerThread({ self.run(next) }) == nil {
            let failure = SystemFailure("start a thread for", folder.path, code: EAGAIN)
            end(next, .failure(.system(failure)))
        }
    }

    private func run(_ fetch: Fetch) {
        let result: Result<String, StoreFailure>
        do throws(StoreFailure) {
            result = .success(try file(of: fetch))
        } catch {
            result = .failure(error)
        }
        end(fetch, result)
    }

    private func end(_ fetch: Fetch, _ result: Result<String, StoreFailure>) {
        let now = now()
        let waiters = state.withLock { state in
            state.running -= 1
            switch result {
            case .success:
                state.uses[fetch.blob] = FileUse(now)
                state.damaged[fetch.blob] = nil
            case .failure(let failure):
                guard case .damagedBlob = failure else { break }
                state.damaged = state.damaged.filter { $0.value.until > now }
                state.damaged[fetch.blob] = (failure, now.addingTimeInterval(Self.grudge))
            }
            return state.waiters.removeValue(forKey: fetch.blob) ?? []
        }
        startNext()
        for waiter in waiters { waiter(result) }
    }

    private func file(of fetch: Fetch) throws(StoreFailure) -> String {
        let path = folder.path(of: fetch.blob)
        if folder.has(fetch.blob) {
            if BlobFile.isWhole(path, fetch.blob) {
                folder.noteUse(of: fetch.blob, at: now())
                return path
            }
            folder.remove(fetch.blob)
        }
        let stored = try fetch.open()
        let now = now()
        let (limit, uses, kept) = state.withLock { state in
            state.held = state.held.filter { $0.value > now }
            return (state.limit, state.uses, Set(state.waiters.keys).union(state.held.keys))
        }
        folder.makeRoom(for: stored.size, within: limit, keeping: kept, uses, at: now)
        try BlobFile.write(stored, to: path)
        folder.noteUse(of: fetch.blob, at: now)
        return path
    }
}

/// When a file was given out last, and when its folder was told.
struct FileUse: Sendable {
    private(set) var last: Date
    private var noted: Date

    /// Seconds between two updates of the time of use, so that not every phone costs a write.
    private static let interval: TimeInterval = 60

    init(_ date: Date) {
        last = date
        noted = date
    }

    func isToBeNoted(at date: Date) -> Bool { date.timeIntervalSince(noted) >= Self.interval }

    mutating func note(_ date: Date) {
        if isToBeNoted(at: date) { noted = date }
        last = date
    }
}
