import Store
import StoreFixtures
import Synchronization

/// Ends everything that a process does, as SIGKILL would, after so many changes of the store and calls
/// of Apple.
final class Fuse: Sendable {
    private struct State {
        var count = 0
        var limit: Int?
        var isBurnt = false
    }

    private let state: Mutex<State>

    /// - Parameter limit: what happens before the end; nil for no end.
    init(_ limit: Int? = nil) {
        state = Mutex(State(limit: limit))
    }

    /// How much has happened.
    var count: Int { state.withLock { $0.count } }
    var isBurnt: Bool { state.withLock { $0.isBurnt } }

    /// - Returns: whether it may happen.
    func lets() -> Bool {
        state.withLock { state in
            if state.isBurnt { return false }
            if let limit = state.limit, state.count >= limit {
                state.isBurnt = true
                return false
            }
            state.count += 1
            return true
        }
    }
}

/// A store to which nothing is written any more once the fuse has burnt.
final class FusedBackend: ForwardingBackend {
    let inner: any Backend
    private let fuse: Fuse

    init(_ inner: any Backend, _ fuse: Fuse) {
        self.inner = inner
        self.fuse = fuse
    }

    func write(
        _ bytes: [UInt8],
        to name: DocumentName,
        if condition: WriteCondition,
    ) throws(StoreFailure) -> DocumentVersion {
        guard fuse.lets() else { throw .gone(path: name.path) }
        return try inner.write(bytes, to: name, if: condition)
    }

    func write(
        _ bytes: [UInt8],
        to name: DocumentName,
        if condition: WriteCondition,
        adding entry: JournalEntry,
    ) throws(StoreFailure) -> DocumentVersion {
        guard fuse.lets() else { throw .gone(path: name.path) }
        return try inner.write(bytes, to: name, if: condition, adding: entry)
    }

    func delete(_ name: DocumentName, at version: DocumentVersion) throws(StoreFailure) {
        guard fuse.lets() else { throw .gone(path: name.path) }
        try inner.delete(name, at: version)
    }

    func append(
        _ line: [UInt8],
        to journal: DocumentName,
        unless recorded: [[UInt8]],
    ) throws(StoreFailure) {
        guard fuse.lets() else { throw .gone(path: journal.path) }
        try inner.append(line, to: journal, unless: recorded)
    }

    func receive() throws(StoreFailure) -> any IncomingBlob {
        guard fuse.lets() else { throw .gone(path: "incoming") }
        return try inner.receive()
    }
}
