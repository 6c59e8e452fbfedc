import Releases

extension OTAStore {
    /// Brings back the generation before the current one of a document that cannot be read or is
    /// missing.
    ///
    /// What was changed last is undone with it; the same call again changes nothing. An app whose
    /// record was damaged or lost comes back for approved devices only, because the change that is
    /// lost may have closed it.
    ///
    /// - Parameter path: inside the store, as errors name it: `apps/com.example.app/app.json`.
    /// - Returns: whether an app was closed.
    /// - Throws: ``StoreFailure/noEarlierGeneration(_:)``,
    ///   ``StoreFailure/unreadable(path:offset:reason:)`` when that one is no JSON either, and
    ///   ``StoreFailure/conflict(_:)`` when the document changes meanwhile.
    @discardableResult
    package func restorePrevious(_ path: String) throws(StoreFailure) -> Bool {
        let name = try DocumentName(path: path)
        guard let previous = try backend.previous(of: name) else {
            throw .noEarlierGeneration(name)
        }
        if path.hasSuffix(".json"), let offset = JSONDamage.offset(in: previous.bytes) {
            throw .unreadable(
                path: "the earlier generation of \(name)",
                offset: offset,
                reason: "it is not valid JSON",
            )
        }
        var current: StoredDocument?
        do throws(StoreFailure) {
            current = try backend.read(name)
        } catch .lost {}
        let closed = try closedApp(name, in: previous.bytes, insteadOf: current?.bytes)
        defer { cache.forgetAll() }
        _ = try backend.write(
            closed ?? previous.bytes,
            to: name,
            if: current.map { .undone($0.version) } ?? .lost,
        )
        return closed != nil
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
        guard app.access != .enrolled else { return nil }
        app.access = .enrolled
        return try DocumentCoding.encode(app, for: name)
    }
}
