import Bytes
package import Cryptography
import Releases
import Uploads

/// The result of `ota store verify`.
package struct StoreVerification: Codable, Sendable, Equatable {
    package let problems: [StoreProblem]
    package let releases: Int
    package let blobs: Int
    /// The total size of the blobs in bytes.
    package let bytes: Int
    /// The number of blobs to which nothing refers.
    ///
    /// They are not a problem; ``OTAStore/collect(olderThan:isDryRun:)`` removes them.
    package let unreferenced: Int
}

extension OTAStore {
    /// Verifies the whole store: every document must be readable, every reference valid, and the bytes of
    /// every blob must match its digest.
    ///
    /// Without `readingBlobs` only the existence of blobs is checked. `further` are problems that other
    /// targets found in their documents; `progress` gets the number of blobs checked and the number of all
    /// blobs.
    ///
    /// - Throws: ``StoreFailure`` only if the store cannot be listed; damage is in the result.
    package func verify(
        readingBlobs: Bool = true,
        beside further: [StoreProblem] = [],
        progress: (Int, Int) -> Void = { _, _ in },
    ) throws(StoreFailure) -> StoreVerification {
        backend.completeEntries()
        let references = try StoreReferences(of: self)
        var problems = references.problems + documentProblems() + (try uploadProblems())
        problems += try journalProblems()
        // Report a problem that both found only once.
        problems += further.filter { !problems.contains($0) }
        problems += try backend.secretProblems()
        problems += try lostProblems(beside: problems)
        let blobs = try backend.blobs()
        let there = Set(blobs)
        // A blob may have been put, or removed with its release, between the two listings.
        for (blob, place) in references.blobs
        where !there.contains(blob) {
            guard try backend.facts(of: blob) == nil, try isThere(place) else { continue }
            let failure = StoreFailure.missingBlob(blob)
            problems.append(
                StoreProblem(
                    id: failure.id,
                    place: place,
                    message: failure.description,
                    fix: failure.fix,
                )
            )
        }
        var bytes = 0
        for (index, blob) in blobs.enumerated() {
            progress(index, blobs.count)
            bytes += try backend.facts(of: blob)?.size ?? 0
            guard readingBlobs else { continue }
            do throws(StoreFailure) {
                try check(blob)
            } catch {
                // Garbage-collected after the listing.
                if case .missingBlob = error { continue }
                problems.append(StoreProblem(error))
            }
        }
        progress(blobs.count, blobs.count)
        return StoreVerification(
            problems: problems.sorted { ($0.place, $0.id) < ($1.place, $1.id) },
            releases: references.releases,
            blobs: blobs.count,
            bytes: bytes,
            unreferenced: blobs.count { references.blobs[$0] == nil },
        )
    }

    /// The registers and records of apps that cannot be read or are missing; from memory where nothing has
    /// changed.
    package func damageOfRegisters() throws(StoreFailure) -> [StoreProblem] {
        let apps = try appListing().failures.values.map { StoreProblem($0) }
        return registerProblems() + teamProblems() + apps.sorted { $0.place < $1.place }
    }

    /// Documents that should exist and are missing, without those in `found`.
    private func lostProblems(
        beside found: [StoreProblem]
    ) throws(StoreFailure) -> [StoreProblem] {
        let known = Set(found.map(\.place))
        return try lostDocuments().map { StoreProblem(.lost($0)) }
            .filter { !known.contains($0.place) }
    }

    /// Whether the document of a reference still exists.
    private func isThere(_ place: String) throws(StoreFailure) -> Bool {
        try backend.read(DocumentName(path: place)) != nil
    }

    /// Reads a blob in full.
    ///
    /// - Throws: ``StoreFailure/damagedBlob(_:path:)`` if its bytes do not match its digest.
    package func check(_ blob: SHA256Digest) throws(StoreFailure) {
        let stored = try backend.open(blob)
        let path = stored.path ?? blob.description
        let hasher = SHA256Hasher()
        var offset = 0
        do throws(SourceFailure) {
            while offset < stored.size {
                let piece = try stored.source.bytes(
                    at: offset,
                    count: min(1 << 20, stored.size - offset),
                )
                hasher.update(piece)
                offset += piece.count
            }
        } catch {
            throw .unreadable(path: path, offset: error.offset, reason: error.reason)
        }
        guard hasher.finish() == blob else { throw .damagedBlob(blob, path: path) }
    }

    /// The registers and keys that cannot be read or are missing in storage now.
    func documentProblems() -> [StoreProblem] {
        cache.forgetAll()
        return registerProblems() + keyProblems()
    }

    private func registerProblems() -> [StoreProblem] {
        [
            problem { () throws(StoreFailure) in _ = try anchors() },
            problem { () throws(StoreFailure) in _ = try devices() },
            problem { () throws(StoreFailure) in _ = try profiles() },
            problem { () throws(StoreFailure) in _ = try tokens() },
            problem { () throws(StoreFailure) in _ = try signInSettings() },
            problem { () throws(StoreFailure) in _ = try invitations() },
            problem { () throws(StoreFailure) in _ = try value(SlugRegister.self, .slugs) },
        ].compactMap(\.self)
    }

    /// The teams that cannot be read; ``StoreReferences`` finds the same without the cache.
    private func teamProblems() -> [StoreProblem] {
        var files: [String] = []
        let listing = problem { () throws(StoreFailure) in
            files = try backend.names(in: .teams).filter { $0.hasSuffix(".json") }
        }
        let found = files.compactMap { file in
            problem { () throws(StoreFailure) in
                _ = try value(Team.self, DocumentName.teams.appending(file))
            }
        }
        return [listing].compactMap(\.self) + found
    }

    private func uploadProblems() throws(StoreFailure) -> [StoreProblem] {
        var problems: [StoreProblem] = []
        for file in try backend.names(in: .uploads) where file.hasSuffix(".json") {
            let name = try DocumentName.uploads.appending(file)
            let found = problem { () throws(StoreFailure) in
                _ = try value(UploadRecord.self, name)
            }
            if let found { problems.append(found) }
        }
        return problems
    }

    /// The problem if `read` fails; nil if it succeeds.
    package func problem(of read: () throws(StoreFailure) -> Void) -> StoreProblem? {
        do throws(StoreFailure) {
            try read()
            return nil
        } catch {
            return StoreProblem(error)
        }
    }

    private func journalProblems() throws(StoreFailure) -> [StoreProblem] {
        var problems: [StoreProblem] = []
        try check(Activity.self, in: .activities, &problems)
        try check(InstallAttempt.self, in: .installs, &problems)
        return problems
    }

    private func check<Line: Decodable>(
        _ type: Line.Type,
        in folder: DocumentName,
        _ problems: inout [StoreProblem],
    ) throws(StoreFailure) {
        for name in try backend.names(in: folder) where name.hasSuffix(".jsonl") {
            let journal = try folder.appending(name)
            for (index, line) in try backend.lines(of: journal).enumerated() {
                do throws(StoreFailure) {
                    _ = try Self.journalled(type, line, "\(journal) line \(index + 1)")
                } catch {
                    problems.append(
                        StoreProblem(
                            id: error.id,
                            place: error.place,
                            message: error.description,
                            fix: "the line is skipped; `ota store restore --document \(journal)` "
                                + "moves it aside",
                        )
                    )
                }
            }
        }
    }
}
