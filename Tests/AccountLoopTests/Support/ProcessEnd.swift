import AppleDeveloper
import Cryptography
import Foundation
import HTTPCalling
import Store
import StoreFixtures
import Synchronization

/// Simulates the end of a process right after the change that a test names: the process does not learn the
/// change's result, and none of its further changes reaches the store or Apple.
///
/// Ending before a change is the same as ending after the previous one.
final class ProcessEnd: Sendable {
    /// Where a change is made.
    enum Place: String, Sendable {
        /// In the store.
        case store
        /// At Apple; only requests that change the account.
        case apple
    }

    private struct Inside {
        var changes: [(place: Place, what: String)] = []
        var isBurnt = false
    }

    private let last: Int?
    private let inside = Mutex(Inside())

    /// - Parameter change: number of the last change, starting at 1; nil for a process that does not end.
    init(after change: Int? = nil) {
        last = change
    }

    var isBurnt: Bool { inside.withLock { $0.isBurnt } }
    /// The changes, in order.
    var changes: [String] { inside.withLock { $0.changes.map { "\($0.place) \($0.what)" } } }

    /// Makes a change, unless the process has ended before it.
    ///
    /// - Returns: the result; nil if the process does not learn it.
    func pass<Result, Failure: Error>(
        _ place: Place,
        _ what: String,
        _ change: () throws(Failure) -> Result,
    ) throws(Failure) -> Result? {
        let (isAllowed, isLast) = inside.withLock { inside in
            guard !inside.isBurnt else { return (false, true) }
            inside.changes.append((place, what))
            inside.isBurnt = inside.changes.count == last
            return (true, inside.isBurnt)
        }
        guard isAllowed else { return nil }
        let result = try change()
        return isLast ? nil : result
    }
}

/// A store's back end in a process that may end at any change.
final class EndingBackend: ForwardingBackend {
    let inner: any Backend
    private let fuse: ProcessEnd

    init(_ inner: any Backend, _ fuse: ProcessEnd) {
        self.inner = inner
        self.fuse = fuse
    }

    private var ended: StoreFailure {
        .unreadable(path: location, offset: nil, reason: "the process has ended")
    }

    private func change<Result>(
        _ what: String,
        _ body: () throws(StoreFailure) -> Result,
    ) throws(StoreFailure) -> Result {
        guard let result = try fuse.pass(.store, what, body) else { throw ended }
        return result
    }

    func read(_ name: DocumentName) throws(StoreFailure) -> StoredDocument? {
        if fuse.isBurnt { throw ended }
        return try inner.read(name)
    }

    func write(
        _ bytes: [UInt8],
        to name: DocumentName,
        if condition: WriteCondition,
    ) throws(StoreFailure) -> DocumentVersion {
        try change("write \(name)") { () throws(StoreFailure) in
            try inner.write(bytes, to: name, if: condition)
        }
    }

    func delete(_ name: DocumentName, at version: DocumentVersion) throws(StoreFailure) {
        try change("delete \(name)") { () throws(StoreFailure) in
            try inner.delete(name, at: version)
        }
    }

    func write(
        _ bytes: [UInt8],
        to name: DocumentName,
        if condition: WriteCondition,
        adding entry: JournalEntry,
    ) throws(StoreFailure) -> DocumentVersion {
        try change("write \(name)") { () throws(StoreFailure) in
            try inner.write(bytes, to: name, if: condition, adding: entry)
        }
    }

    func delete(
        _ name: DocumentName,
        at version: DocumentVersion,
        adding entry: JournalEntry,
    ) throws(StoreFailure) {
        try change("delete \(name)") { () throws(StoreFailure) in
            try inner.delete(name, at: version, adding: entry)
        }
    }

    func forgetPrevious(of name: DocumentName) throws(StoreFailure) {
        try change("forget what was before of \(name)") { () throws(StoreFailure) in
            try inner.forgetPrevious(of: name)
        }
    }

    func append(
        _ line: [UInt8],
        to journal: DocumentName,
        unless recorded: [[UInt8]],
    ) throws(StoreFailure) {
        try change("append to \(journal)") { () throws(StoreFailure) in
            try inner.append(line, to: journal, unless: recorded)
        }
    }
}

/// The connection to Apple of a process that may end at any change.
struct EndingTransport: CallTransport {
    let apple: AppleInProcess
    let fuse: ProcessEnd

    func answer(to request: CallRequest) async throws(CallTrouble) -> CallAnswer {
        guard request.method != "GET" else {
            guard !fuse.isBurnt else { throw .interrupted }
            return try apple.answer(to: request)
        }
        let kind = request.address.split(separator: "/").dropFirst(3).first ?? ""
        let answer = try fuse.pass(.apple, "\(request.method) \(kind)") {
            () throws(CallTrouble) in try apple.answer(to: request)
        }
        guard let answer else { throw .interrupted }
        return answer
    }
}
