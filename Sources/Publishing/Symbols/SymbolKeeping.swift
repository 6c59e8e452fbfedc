import Bytes
package import Cryptography
package import Essentials
package import Identifiers
package import Releases
package import Store
package import Symbols

/// The result of adding dSYMs to a release.
package struct KeptSymbols: Sendable {
    /// The changed release.
    package let release: Release
    /// The names of new dSYMs.
    package let added: [String]
    /// The names of dSYMs that belong to no program of the release, which are left out.
    package let unmatched: [String]
}

extension OTAStore {
    /// Adds dSYMs to a release: those with a slice that has the UUID of one of its programs.
    ///
    /// Existing ones stay. After a crash the same call continues.
    ///
    /// - Parameters:
    ///   - bundles: untrusted dSYMs.
    ///   - packed: the archive that contained the only one of them, and its digest; it is kept as it is if
    ///     it contains nothing else.
    ///   - release: the release to which they may belong.
    ///   - actor: the user who adds them.
    ///   - date: the current time.
    /// - Returns: the release, and the result for each dSYM.
    /// - Throws: ``SymbolRefusal`` if none belongs to it, `ZipRefusal`, `SourceFailure`, `ReleaseRefusal`
    ///   and ``StoreFailure``.
    package func keepSymbols(
        _ bundles: [SymbolBundle],
        packed: (incoming: any IncomingBlob, digest: SHA256Digest)? = nil,
        with release: Release,
        by actor: String,
        at date: Date,
    ) throws -> KeptSymbols {
        let programs = try programs(of: release)
        guard !programs.isEmpty else { throw SymbolRefusal.noPrograms }
        let known = Set(programs.flatMap(\.images).map(\.uuid))
        func belongs(_ bundle: SymbolBundle) -> Bool {
            bundle.images.contains { known.contains($0.uuid) }
        }
        let unmatched = bundles.filter { !belongs($0) }.map(\.name)
        let matching = bundles.filter(belongs)
        guard !matching.isEmpty else { throw SymbolRefusal.unmatched(unmatched) }
        guard matching.count <= ReleaseSymbols.fileLimit else {
            throw SymbolRefusal.tooMany(limit: ReleaseSymbols.fileLimit)
        }
        var files: [ReleaseSymbols.File] = []
        for bundle in matching {
            let blob: (digest: SHA256Digest, size: Int)
            if let packed, bundles.count == 1, bundle.isPacked {
                try bundle.prove()
                blob = (packed.digest, packed.incoming.count)
                try packed.incoming.commit(as: packed.digest)
            } else {
                blob = try keep(bundle)
            }
            files.append(
                ReleaseSymbols.File(
                    name: bundle.name,
                    images: bundle.images,
                    blob: blob.digest,
                    size: blob.size,
                    contentSize: bundle.contentSize,
                    added: date,
                    by: actor,
                )
            )
        }
        return try add(
            files,
            leavingOut: unmatched,
            of: programs,
            to: release,
            by: actor,
            at: date,
        )
    }

    private func add(
        _ files: [ReleaseSymbols.File],
        leavingOut unmatched: [String],
        of programs: [ReleaseSymbols.Program],
        to release: Release,
        by actor: String,
        at date: Date,
    ) throws -> KeptSymbols {
        var added: [String] = []
        let change = try changeRelease(release.identifier, of: release.bundleIdentifier) { there in
            guard there.original.sha256 == release.original.sha256 else {
                throw SymbolRefusal.replaced
            }
            var symbols = there.symbols ?? ReleaseSymbols(programs: programs)
            added = files.filter { symbols.add($0) }.map(\.name)
            guard symbols.files.count <= ReleaseSymbols.fileLimit else {
                throw SymbolRefusal.tooMany(limit: ReleaseSymbols.fileLimit)
            }
            if !added.isEmpty { there.symbols = symbols }
        } recording: {
            [
                Activity(
                    date: date,
                    actor: actor,
                    event: .symbolsAdded,
                    app: release.bundleIdentifier.rawValue,
                    subject: release.identifier.rawValue,
                    detail: Wording.count(added.count, "dSYM"),
                )
            ]
        }
        return KeptSymbols(release: change.release, added: added, unmatched: unmatched)
    }

    /// The programs of a release to which dSYMs may belong: as recorded with the first dSYM, or otherwise
    /// read from the IPA that was last published or signed.
    ///
    /// - Throws: `ZipRefusal`, `SourceFailure`, ``StoreFailure``.
    package func programs(of release: Release) throws -> [ReleaseSymbols.Program] {
        if let known = release.symbols { return known.programs }
        // Reading parts of a remote blob would cost one request each.
        let ipa: any ByteSource =
            try isElsewhere
            ? FileSource(path: file(of: release.sha256)) : open(release.sha256).source
        return try ProgramSearch.programs(of: ipa)
    }

    private func keep(_ bundle: SymbolBundle) throws -> (digest: SHA256Digest, size: Int) {
        let incoming = try backend.receive()
        let hasher = SHA256Hasher()
        try bundle.write { piece in
            hasher.update(piece)
            try unsafe piece.withUnsafeBytes { try unsafe incoming.append($0) }
        }
        let digest = hasher.finish()
        let size = incoming.count
        try incoming.commit(as: digest)
        return (digest, size)
    }

    /// Removes the dSYM of a slice.
    ///
    /// - Throws: ``SymbolRefusal/unknown``, `ReleaseRefusal`, ``StoreFailure``.
    package func removeSymbols(
        _ uuid: ImageUUID,
        of release: Release,
        by actor: String,
        at date: Date,
    ) throws -> (release: Release, file: ReleaseSymbols.File) {
        var removed: ReleaseSymbols.File?
        let change = try changeRelease(release.identifier, of: release.bundleIdentifier) { there in
            removed = there.symbols?.remove(uuid)
            guard removed != nil else { throw SymbolRefusal.unknown }
            if there.symbols?.files.isEmpty == true { there.symbols = nil }
        } recording: {
            [
                Activity(
                    date: date,
                    actor: actor,
                    event: .symbolsRemoved,
                    app: release.bundleIdentifier.rawValue,
                    subject: release.identifier.rawValue,
                    detail: removed?.name,
                )
            ]
        }
        guard let removed else { throw SymbolRefusal.unknown }
        return (change.release, removed)
    }
}
