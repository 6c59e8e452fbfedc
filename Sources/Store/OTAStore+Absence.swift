import Releases

/// `store.json` records which registers have been created, so that a register that is missing together with
/// its earlier generation is damage, not an empty start.
extension OTAStore {
    /// Makes sure that a missing document was never created.
    ///
    /// - Throws: ``StoreFailure/lost(_:)`` for a register that was created and is missing.
    func requireBeginning(of name: DocumentName) throws(StoreFailure) {
        guard Self.isRegister(name),
            try value(StoreSettings.self, .settings)?.hasBegun(name.path) == true
        else { return }
        throw .lost(name)
    }

    /// Records that a register has been created.
    ///
    /// If the process crashes before this, the next change of the register records it.
    func noteBeginning(of name: DocumentName) throws {
        guard Self.isRegister(name),
            try value(StoreSettings.self, .settings)?.hasBegun(name.path) == false
        else { return }
        try changeSettings { $0.begin(name.path) }
    }

    /// Lets a register start empty after it was lost without an earlier generation.
    ///
    /// - Throws: ``StoreFailure/lost(_:)`` while an earlier generation could be restored,
    ///   ``StoreFailure/present(_:)`` for a document that is not lost, and ``StoreFailure/missing(path:)``
    ///   for anything but a register that was created.
    package func abandon(_ path: String) throws {
        let name = try DocumentName(path: path)
        guard Self.isRegister(name), try settings(isCurrent: true).hasBegun(path) else {
            throw StoreFailure.missing(path: path)
        }
        // Reading throws while an earlier generation exists.
        guard try backend.read(name) == nil else { throw StoreFailure.present(name) }
        try changeSettings { $0.forget(path) }
        cache.forgetAll()
    }

    /// The documents that should exist and are missing.
    func lostDocuments() throws(StoreFailure) -> [DocumentName] {
        var lost = try backend.lostDocuments()
        for path in try settings().registers ?? [] {
            let name = try DocumentName(path: path)
            guard !lost.contains(name), try backend.stamp(of: name) == nil else { continue }
            lost.append(name)
        }
        return lost
    }

    /// Whether it is a document of the whole store, which is never deleted.
    private static func isRegister(_ name: DocumentName) -> Bool {
        name.components.count == 1 && name != .settings
    }
}
