import Essentials
package import Releases

/// Reads and changes single documents of any type.
extension OTAStore {
    /// The value of a document, from memory if it has not changed; nil if there is none.
    ///
    /// Used by other targets for documents of their own; only this target uses the names of its documents.
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

    /// Returns the result of `read`, or nil if a document or blob that it needs is damaged or missing.
    ///
    /// For callers that can do without it. ``verify(readingBlobs:beside:progress:)`` and the running server
    /// report the damage.
    package func unlessDamaged<Value>(_ read: () throws -> Value?) throws -> Value? {
        do {
            return try read()
        } catch let failure as StoreFailure where failure.concernsOnePlace {
            return nil
        }
    }

    /// The names in a folder, from memory if it has not changed.
    package func names(in folder: DocumentName) throws(StoreFailure) -> [String] {
        try cache.value(folder) { () throws(StoreFailure) in
            let names = try backend.knownNames(in: folder)
            return (names, names.reduce(0) { $0 + 16 + $1.utf8.count })
        } ?? []
    }

    /// Returns a value computed from several documents, cached until one of them changes.
    ///
    /// - Parameters:
    ///   - key: the name of the value; each type has its own.
    ///   - tops: the top-level folders and documents of the store from which it is computed, such as `apps`
    ///     and `devices.json`.
    ///   - isKept: whether to cache a value; an incomplete one is computed again each time.
    ///   - make: computes it.
    /// - Returns: the value.
    /// - Throws: the errors of `make`, and ``StoreFailure``.
    package func derived<Value: Sendable>(
        _ key: String,
        of tops: [String],
        isKept: (Value) -> Bool = { _ in true },
        make: () throws(StoreFailure) -> Value,
    ) throws(StoreFailure) -> Value {
        try cache.derived(key, of: tops, isKept: isKept, make: make)
    }

    /// The stamps of these top-level folders and documents, which change whenever something in them may
    /// have changed; nil if the backend cannot be sure.
    package func changeStamps(of tops: [String]) throws(StoreFailure) -> [ChangeStamp]? {
        try cache.changeStamps(of: tops)
    }

    /// The outcome of ``change(_:else:_:)``.
    package struct Change<Value> {
        package let value: Value
        /// Whether anything was written.
        package let isChanged: Bool
    }

    /// Reads a document, changes its value and writes it back, unless another process changed it meanwhile;
    /// then it starts again with the new value.
    ///
    /// `initial` is the value if there is no document; nil makes that ``StoreFailure/missing(path:)``.
    /// `change` may be called several times; if it throws, its error is thrown on and nothing is written.
    /// The returned value is durable, even if nothing changed.
    ///
    /// `recording` is called after each `change` that made a difference and returns the activities to
    /// record, all with the same date. They are written together with the document, even if the process
    /// ends in between.
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
                // The assumed version may be outdated: read the current one.
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

    /// Writes a value, and makes the next reader in this process see it at once.
    ///
    /// - Returns: false if another process changed the document first.
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
        // The folders that contain it may be new too: an app's first document makes the app appear.
        var folder = condition == .absent ? name.folder : nil
        while let changed = folder {
            cache.forget(changed)
            folder = changed.folder
        }
        return true
    }

    /// The most attempts of a change; each failed one means that another writer succeeded.
    private static var attempts: Int { 200 }
}
