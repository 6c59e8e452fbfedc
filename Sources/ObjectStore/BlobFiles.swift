import Bytes
import Cryptography
import Dispatch
import Essentials
import Store
import Synchronization

/// A cache of blobs in local files, each downloaded once for all its readers, with a limit for the total
/// size.
///
/// A file gets the name of its digest only after all its bytes match it; a file that an earlier process
/// left is verified again before it is used. The least recently used files are removed first; a reader that
/// has one open keeps it. Several processes can share the folder.
final class BlobFiles: Sendable {
    /// Gets the path of a blob, to be opened at once, or the error.
    typealias Waiter = @Sendable (Result<String, StoreFailure>) -> Void
    /// Opens a remote blob for the download.
    typealias Opening = @Sendable () throws(StoreFailure) -> StoredBlob

    private struct Fetch: Sendable {
        let blob: SHA256Digest
        let open: Opening
    }

    private struct State {
        var limit: Int
        var uses: [SHA256Digest: FileUse] = [:]
        /// The callbacks waiting for a blob that is being or will be downloaded.
        var waiters: [SHA256Digest: [Waiter]] = [:]
        var queue: [Fetch] = []
        var running = 0
        /// Files that other programs use, and until when they are kept.
        var held: [SHA256Digest: Date] = [:]
        var damaged: [SHA256Digest: (failure: StoreFailure, until: Date)] = [:]
    }

    private let folder: BlobFolder
    private let now: @Sendable () -> Date
    private let state: Mutex<State>

    /// The most downloads at a time; each takes 8 MiB of memory.
    private static let most = 4
    /// Seconds for which a blob that arrived damaged is not downloaded again.
    private static let grudge: TimeInterval = 60
    /// Seconds for which a file is kept whose path another program has; signing a build takes no longer.
    private static let hold: TimeInterval = 900

    /// - Parameters:
    ///   - folder: the folder of the files; created for the first one.
    ///   - limit: the total size of all files in bytes; a larger blob is cached alone.
    ///   - now: returns the current time.
    init(in folder: String, limit: Int, now: @escaping @Sendable () -> Date) {
        self.folder = BlobFolder(path: folder)
        self.now = now
        state = Mutex(State(limit: limit))
    }

    /// Sets the limit, and removes files beyond it.
    func limit(to bytes: Int) {
        let uses = state.withLock { state in
            state.limit = bytes
            return state.uses
        }
        folder.makeRoom(for: 0, within: bytes, keeping: [], uses, at: now())
    }

    /// The path of a file that this process has verified; nil if there is none and the blob must be
    /// downloaded.
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

    /// Whether the blob recently arrived damaged.
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

    /// Downloads a blob, or joins a download in progress; returns at once.
    ///
    /// - Parameters:
    ///   - blob: the blob.
    ///   - open: opens the remote blob.
    ///   - done: called once, possibly before this returns; it must not block.
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

    /// The path of a blob for another program, which is kept for 15 minutes regardless of the limit.
    ///
    /// Blocks while it is downloaded.
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

/// When a file was last used, and when that was recorded in its modification time.
struct FileUse: Sendable {
    private(set) var last: Date
    private var noted: Date

    /// Seconds between two updates of the modification time, so that not every download causes a write.
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
