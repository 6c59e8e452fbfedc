import Releases

/// The outcome of ``OTAStore/restorePrevious(_:)``.
package struct RestoredGeneration: Sendable, Equatable {
    /// Whether the document changed; false if its earlier generation does not differ, as after a copy of
    /// the store or an earlier call.
    package let isChanged: Bool
    /// Whether an app's access was restricted.
    package let isClosed: Bool
    /// Whether the undone version can be restored.
    package let keepsUndone: Bool
}

extension OTAStore {
    /// Restores the previous generation of a document that cannot be read or is missing.
    ///
    /// This undoes the last change of the document. The undone version is kept for ``restoreUndone(_:)``; a
    /// repeated call changes nothing. An app whose record was damaged or lost is restored for approved
    /// devices only, because the lost change may have restricted access.
    ///
    /// - Parameter path: the document's path in the store, as in error messages:
    ///   `apps/com.example.app/app.json`.
    /// - Returns: the outcome.
    /// - Throws: ``StoreFailure/noEarlierGeneration(_:)``, ``StoreFailure/unreadable(path:offset:reason:)``
    ///   if that generation is not valid JSON either, and ``StoreFailure/conflict(_:)`` if the document
    ///   changes meanwhile.
    @discardableResult
    package func restorePrevious(
        _ path: String
    ) throws(StoreFailure) -> RestoredGeneration {
        let name = try DocumentName(path: path)
        guard let previous = try backend.previous(of: name) else {
            throw .noEarlierGeneration(name)
        }
        try Self.requireJSON(previous, of: name, "the earlier generation of \(name)")
        let current = try presentDocument(name)
        let closed = try closedApp(name, in: previous.bytes, insteadOf: current?.bytes)
        let restored = closed ?? previous.bytes
        defer { cache.forgetAll() }
        let isChanged = current?.bytes != restored
        if !isChanged {
            try backend.confirm(name)
        } else {
            _ = try backend.write(
                restored,
                to: name,
                if: current.map { .undone($0.version) } ?? .lost,
            )
        }
        // An undone version that cannot be read is kept, but cannot be restored.
        let undone = try backend.undone(of: name)
        return RestoredGeneration(
            isChanged: isChanged,
            isClosed: closed != nil,
            keepsUndone: undone.map { Self.damage(in: $0, of: name) == nil } ?? false,
        )
    }

    /// Restores the version that ``restorePrevious(_:)`` undid; the version it replaces becomes the earlier
    /// generation.
    ///
    /// - Parameter path: the document's path in the store, as for ``restorePrevious(_:)``.
    /// - Throws: ``StoreFailure/nothingUndone(_:)``, and the errors of ``restorePrevious(_:)``.
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

    /// The document; nil if it is lost.
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

    /// The offset at which a document stops being valid JSON; nil for keys, which are not JSON.
    private static func damage(in document: StoredDocument, of name: DocumentName) -> Int? {
        name.path.hasSuffix(".json") ? JSONDamage.offset(in: document.bytes) : nil
    }

    /// The app's record restricted to approved devices; nil for any other document, for a record that is
    /// already restricted, and if the current record can be read, because then the undone change is known.
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
        // Members of groups are already a subset of the approved devices.
        guard app.access != .enrolled, app.access.groups.isEmpty else { return nil }
        app.access = .enrolled
        return try DocumentCoding.encode(app, for: name)
    }
}
