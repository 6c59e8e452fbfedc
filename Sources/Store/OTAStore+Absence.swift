import Releases

/// Registers that were begun are remembered in `store.json`, so that one whose two names are lost
/// together is damage as well, and no empty beginning.
extension OTAStore {
    /// Asks that the document was never begun.
    ///
    /// - Throws: ``StoreFailure/lost(_:)`` for a register that is absent although it was begun.
    func requireBeginning(of name: DocumentName) throws(StoreFailure) {
        guard Self.isRegister(name),
            try value(StoreSettings.self, .settings)?.hasBegun(name.path) == true
        else { return }
        throw .lost(name)
    }

    /// Remembers a register that was just written.
    ///
    /// A crash before this is made up for by the next change of the register.
    func noteBeginning(of name: DocumentName) throws {
        guard Self.isRegister(name),
            try value(StoreSettings.self, .settings)?.hasBegun(name.path) == false
        else { return }
        try changeSettings { $0.begin(name.path) }
    }

    /// Lets a register begin empty of which nothing is left.
    ///
    /// - Throws: ``StoreFailure/lost(_:)`` while an earlier generation could be brought back,
    ///   ``StoreFailure/present(_:)`` for a document that is not lost, and
    ///   ``StoreFailure/missing(path:)`` for what is no register that was begun.
    package func abandon(_ path: String) throws {
        let name = try DocumentName(path: path)
        guard Self.isRegister(name), try settings(isCurrent: true).hasBegun(path) else {
            throw StoreFailure.missing(path: path)
        }
        // Reading throws by itself while an earlier generation is there.
        guard try backend.read(name) == nil else { throw StoreFailure.present(name) }
        try changeSettings { $0.forget(path) }
        cache.forgetAll()
    }

    /// The documents that are missing where there must be one.
    func lostDocuments() throws(StoreFailure) -> [DocumentName] {
        var lost = try backend.lostDocuments()
        for path in try settings().registers ?? [] {
            let name = try DocumentName(path: path)
            guard !lost.contains(name), try backend.stamp(of: name) == nil else { continue }
            lost.append(name)
        }
        return lost
    }

    /// Whether the document is one for the whole store, and never deleted.
    private static func isRegister(_ name: DocumentName) -> Bool {
        name.components.count == 1 && name != .settings
    }
}
