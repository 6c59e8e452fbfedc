import Releases

extension OTAStore {
    /// Brings back the generation before the current one of a document that cannot be read or is
    /// missing.
    ///
    /// What was changed last is undone with it, and kept for ``restoreUndone(_:)``; the same call again
    /// changes nothing. An app whose
    /// record was damaged or lost comes back for approved devices only, because the change that is
    /// lost may have closed it.
    ///
    /// - Parameter path: inside the store, as errors name it: `apps/com.example.app/app.json`.
    /// - Returns: whether an app was closed, and whether there is a way back.
    /// - Throws: ``StoreFailure/noEarlierGeneration(_:)``,
    ///   ``StoreFailure/unreadable(path:offset:reason:)`` when that one is no JSON either, and
    ///   ``StoreFailure/conflict(_:)`` when the document changes meanwhile.
    @discardableResult
    package func restorePrevious(
        _ path: String
    ) throws(StoreFailure) -> (isClosed: Bool, keepsUndone: Bool) {
        let name = try DocumentName(path: path)
        guard let previous = try backend.previous(of: name) else {
            throw .noEarlierGeneration(name)
        }
        try Self.requireJSON(previous, of: name, "the earlier generation of \(name)")
        let current = try presentDocument(name)
        let closed = try closedApp(name, in: previous.bytes, insteadOf: current?.bytes)
        let restored = closed ?? previous.bytes
        defer { cache.forgetAll() }
        if current?.bytes == restored {
            try backend.confirm(name)
        } else {
            _ = try backend.write(
                restored,
                to: name,
                if: current.map { .undone($0.version) } ?? .lost,
            )
        }
        // One that cannot be read is kept, but is no way back.
        guard let undone = try backend.undone(of: name) else { return (closed != nil, false) }
        return (closed != nil, Self.damage(in: undone, of: name) == nil)
    }

    /// Brings back what ``restorePrevious(_:)`` undid; what took its place is then the earlier
    /// generation.
    ///
    /// - Parameter path: inside the store, as for ``restorePrevious(_:)``.
    /// - Throws: ``StoreFailure/nothingUndone(_:)``, and what ``restorePrevious(_:)`` throws.
    package func restoreUndone(_ path: String) throws(StoreFailure) {
        let name = try DocumentName(path: path)
        guard let undone = try backend.undone(of: name) else { throw .nothingUndone(name) }
        try Self.requireJSON(undone, of: name, "the undone version of \(name)")
        let current = try presentDocument(name)
        defer { cache.forgetAll() }
        guard current?.bytes != undone.bytes else { return try backend.confirm(name) }
        _ = try backend.write(
            undone.bytes,
            to: name,
            if: current.map { .version($0.version) } ?? .lost,
        )
    }

    /// The document; nil for one that is lost.
    private func presentDocument(_ name: DocumentName) throws(StoreFailure) -> StoredDocument? {
        do throws(StoreFailure) {
            return try backend.read(name)
        } catch {
            if case .lost = error { return nil }
            throw error
        }
    }

    private static func requireJSON(
        _ document: StoredDocument,
        of name: DocumentName,
        _ what: String,
    ) throws(StoreFailure) {
        guard let offset = damage(in: document, of: name) else { return }
        throw .unreadable(path: what, offset: offset, reason: "it is not valid JSON")
    }

    /// Where a document stops being JSON; keys are bytes of any value, and have no such place.
    private static func damage(in document: StoredDocument, of name: DocumentName) -> Int? {
        name.path.hasSuffix(".json") ? JSONDamage.offset(in: document.bytes) : nil
    }

    /// The app's record with its pages closed; nil for another document, for one that is closed, and
    /// where the current record can be read, so that it is known what is undone.
    private func closedApp(
        _ name: DocumentName,
        in bytes: [UInt8],
        insteadOf current: [UInt8]?,
    ) throws(StoreFailure) -> [UInt8]? {
        guard name.components.first == DocumentName.apps.path,
            name.components.count == 3, name.components.last == "app.json"
        else { return nil }
        if let current {
            let damage = problem { () throws(StoreFailure) in
                _ = try DocumentCoding.decode(AppRecord.self, from: current, path: name.path)
            }
            if damage == nil { return nil }
        }
        var app = try DocumentCoding.decode(AppRecord.self, from: bytes, path: name.path)
        // Members of groups are fewer than all approved devices.
        guard app.access != .enrolled, app.access.groups.isEmpty else { return nil }
        app.access = .enrolled
        return try DocumentCoding.encode(app, for: name)
    }
}
