extension OTAStore {
    /// Brings back the generation before the current one of a document that cannot be read.
    ///
    /// - Parameter path: inside the store, as errors name it: `apps/com.example.app/app.json`.
    /// - Throws: ``StoreFailure/noEarlierGeneration(_:)``,
    ///   ``StoreFailure/unreadable(path:offset:reason:)`` when that one is no JSON either, and
    ///   ``StoreFailure/conflict(_:)`` when the document changes meanwhile.
    package func restorePrevious(_ path: String) throws(StoreFailure) {
        let name = try DocumentName(path: path)
        guard let previous = try backend.previous(of: name) else {
            throw .noEarlierGeneration(name)
        }
        if let offset = JSONDamage.offset(in: previous.bytes) {
            throw .unreadable(
                path: "the earlier generation of \(name)",
                offset: offset,
                reason: "it is not valid JSON",
            )
        }
        let current = try backend.read(name)
        defer { cache.forget(name) }
        _ = try backend.write(
            previous.bytes,
            to: name,
            if: current.map { .version($0.version) } ?? .absent,
        )
    }
}
