package import Cryptography
import Foundation
package import Store
import Synchronization

/// A store in memory: the second back end with which the tests of the store run, so that none of them depends
/// on files.
///
/// Several stores may be open on the same one, like several processes on a folder.
package final class MemoryBackend: Backend {
    /// Bytes under a name, and when they last changed.
    struct Object {
        var bytes: [UInt8]
        /// The number of the last change.
        var change: Int
        var date: Date
    }

    struct State {
        /// Objects by path, as in a folder: documents, previous versions, journals, blobs and uploads.
        var objects: [String: Object] = [:]
        /// The number of the last change that added or removed a name in a folder, by the folder's path.
        var folders: [String: Int] = [:]
        var changes = 0
        var isStore = false
    }

    package let location: String
    let state = Mutex(State())
    /// Held while a document is changed, and while writers wait.
    private let writing = NSRecursiveLock()
    private let served = Mutex(false)
    private let works = Mutex<Set<String>>([])

    package init(location: String = "memory") {
        self.location = location
    }

    package var localFolder: LocalFolder? { nil }

    package func noteStore() { change { $0.isStore = true } }

    package func obstacle() throws(StoreFailure) -> StoreFailure? {
        state.withLock { $0.objects.isEmpty } ? nil : .notAStore(path: location)
    }

    package func claimForServer() throws(StoreFailure) -> (any ServerLease)? {
        let isFree = served.withLock { served in
            defer { served = true }
            return !served
        }
        guard isFree else { throw .alreadyServed(path: location) }
        return Claim { [weak self] in self?.served.withLock { $0 = false } }
    }

    package func claim(_ work: String) throws(StoreFailure) -> (any WorkLease)? {
        guard works.withLock({ $0.insert(work).inserted }) else { return nil }
        return Claim { [weak self] in self?.works.withLock { _ = $0.remove(work) } }
    }

    /// Nothing else can read this memory.
    package func secretProblems() throws(StoreFailure) -> [StoreProblem] { [] }

    package func tightenSecrets() throws(StoreFailure) -> [String] { [] }

    package func withWritersWaiting(
        _ body: () throws(StoreFailure) -> Void
    ) throws(StoreFailure) {
        writing.lock()
        defer { writing.unlock() }
        try body()
    }

    /// Fails if there is no store.
    func requireStore() throws(StoreFailure) {
        let isGone = state.withLock { $0.isStore && $0.objects["store.json"] == nil }
        if isGone { throw .gone(path: location) }
    }

    /// Changes the state exclusively.
    func change<Result, Failure>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        writing.lock()
        defer { writing.unlock() }
        var changed = state.withLock(\.self)
        let result = try body(&changed)
        state.withLock { [changed] in $0 = changed }
        return result
    }

    // MARK: Behind the store's back

    /// The bytes under a path, as they would be in a folder: `apps/com.example.app/app.json@previous`.
    package func object(at path: String) -> [UInt8]? { state.withLock { $0.objects[path]?.bytes } }

    /// Replaces or removes the bytes under a path.
    package func setObject(_ bytes: [UInt8]?, at path: String) {
        change { state in
            if let bytes { state.put(bytes, at: path) } else { state.remove(path) }
        }
    }

    /// Makes a blob appear older, by the given number of seconds.
    package func age(_ blob: SHA256Digest, by seconds: Int) {
        change { $0.objects[Self.path(of: blob)]?.date -= Double(seconds) }
    }

    /// All paths, sorted.
    package var paths: [String] { state.withLock { $0.objects.keys.sorted() } }

    static func path(of blob: SHA256Digest) -> String {
        "blobs/sha256/\(blob.description.prefix(2))/\(blob)"
    }

    private final class Claim: ServerLease, WorkLease {
        private let end: @Sendable () -> Void

        init(end: @escaping @Sendable () -> Void) {
            self.end = end
        }

        deinit { end() }
    }
}

extension MemoryBackend.State {
    mutating func put(_ bytes: [UInt8], at path: String) {
        changes += 1
        if objects[path] == nil { noteChange(above: path) }
        objects[path] = .init(bytes: bytes, change: changes, date: .now)
    }

    mutating func remove(_ path: String) {
        changes += 1
        if objects.removeValue(forKey: path) != nil { noteChange(above: path) }
    }

    private mutating func noteChange(above path: String) {
        var rest = path.split(separator: "/").dropLast()
        while !rest.isEmpty {
            folders[rest.joined(separator: "/")] = changes
            rest = rest.dropLast()
        }
    }
}
