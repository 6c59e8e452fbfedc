import Essentials
package import Releases

/// Reading and changing one document, whatever is in it.
extension OTAStore {
    /// The value of a document, from memory when it has not changed; nil when there is none.
    ///
    /// For rooms above that keep documents of their own; the names of this room's are its own.
    package func value<Value: Decodable & Sendable>(
        _ type: Value.Type,
        _ name: DocumentName,
        isCurrent: Bool = false,
    ) throws(StoreFailure) -> Value? {
        let found = try cache.value(name, isCurrent: isCurrent) {
            () throws(StoreFailure) -> (value: Value, size: Int)? in
            guard let document = try backend.knownDocument(name) else { return nil }
            let value = try DocumentCoding.decode(type, from: document.bytes, path: name.path)
            return (value, document.bytes.count)
        }
        if found == nil { try requireBeginning(of: name) }
        return found
    }

    /// What `read` finds, or nil where one document or blob that it needs is damaged or missing.
    ///
    /// For callers that can do without it; ``verify(readingBlobs:beside:progress:)`` and the running server
    /// name what is damaged.
    package func unlessDamaged<Value>(_ read: () throws -> Value?) throws -> Value? {
        do {
            return try read()
        } catch let failure as StoreFailure where failure.concernsOnePlace {
            return nil
        }
    }

    /// The names in a folder, from memory when it has not changed.
    package func names(in folder: DocumentName) throws(StoreFailure) -> [String] {
        try cache.value(folder) { () throws(StoreFailure) in
            let names = try backend.knownNames(in: folder)
            return (names, names.reduce(0) { $0 + 16 + $1.utf8.count })
        } ?? []
    }

    /// A value that is made of several documents, kept until one of them changes.
    ///
    /// - Parameters:
    ///   - key: names the value; one for each type.
    ///   - tops: the folders and documents at the top of the store that it is made of, such as `apps`
    ///     and `devices.json`.
    ///   - isKept: whether a value is; one with gaps is derived again each time.
    ///   - make: makes it.
    /// - Returns: the value.
    /// - Throws: what `make` throws, and ``StoreFailure``.
    package func derived<Value: Sendable>(
        _ key: String,
        of tops: [String],
        isKept: (Value) -> Bool = { _ in true },
        make: () throws(StoreFailure) -> Value,
    ) throws(StoreFailure) -> Value {
        try cache.derived(key, of: tops, isKept: isKept, make: make)
    }

    /// What tells whether any of these folders and documents at the top of the store has changed; nil
    /// where that cannot be said for sure.
    package func changeStamps(of tops: [String]) throws(StoreFailure) -> [ChangeStamp]? {
        try cache.changeStamps(of: tops)
    }

    /// The outcome of ``change(_:else:_:)``.
    package struct Change<Value> {
        package let value: Value
        /// Whether anything was written.
        package let isChanged: Bool
    }

    /// Reads a document, changes its value and writes it back unless another process changed it
    /// meanwhile; then it begins again with the new value.
    ///
    /// `initial` is the value when there is no document; nil makes that an error. `change` may be
    /// called several times, and what it throws ends the attempt. The value that comes back lasts,
    /// also when the change made no difference.
    ///
    /// `recording` is asked after each `change` that made a difference what the activity says of it:
    /// entries of one moment. They come with the document, wherever the process ends.
    package func change<Value: Codable & Equatable & Sendable>(
        _ name: DocumentName,
        else initial: Value?,
        _ change: (inout Value) throws -> Void,
        recording: () throws -> [Activity] = { [] },
    ) throws -> Change<Value> {
        var attempt = 0
        var assumed = backend.assumed(name)
        while true {
            let isAssumed = assumed != nil
            let document = try assumed ?? backend.read(name)
            assumed = nil
            let old = try document.map {
                try DocumentCoding.decode(Value.self, from: $0.bytes, path: name.path)
            }
            if old == nil { try requireBeginning(of: name) }
            guard var value = old ?? initial else { throw StoreFailure.missing(path: name.path) }
            do {
                try change(&value)
            } catch {
                // What it does not like may be over.
                if isAssumed { continue }
                throw error
            }
            if value == old {
                if isAssumed { continue }
                try backend.confirm(name)
                try noteBeginning(of: name)
                return Change(value: value, isChanged: false)
            }
            let condition = document.map { WriteCondition.version($0.version) } ?? .absent
            if try write(value, to: name, if: condition, adding: Self.entry(of: recording())) {
                try noteBeginning(of: name)
                return Change(value: value, isChanged: true)
            }
            attempt += 1
            guard attempt < Self.attempts else { throw StoreFailure.conflict(name) }
            usleep(.random(in: 0...2000) * UInt32(attempt))
        }
    }

    /// Writes a value and lets the next reader in this process see it at once.
    ///
    /// - Returns: false when another process changed the document first.
    package func write(
        _ value: some Encodable,
        to name: DocumentName,
        if condition: WriteCondition,
        adding entry: JournalEntry? = nil,
    ) throws(StoreFailure) -> Bool {
        let bytes = try DocumentCoding.encode(value, for: name)
        defer { cache.forget(name) }
        guard try backend.writes(bytes, to: name, if: condition, adding: entry) else {
            return false
        }
        // The folders above may be new as well: an app's first document makes its app appear.
        var folder = condition == .absent ? name.folder : nil
        while let changed = folder {
            cache.forget(changed)
            folder = changed.folder
        }
        return true
    }

    /// How often a change begins again; each time another writer has succeeded.
    private static var attempts: Int { 200 }
}
