package import Bundles
package import Bytes
package import Cryptography
package import Zip

/// Verifies all signatures and seals of an app in one pass over an archive.
///
/// Seals and Info.plists, which determine what to check, are read first. Then
/// ``ZipArchive/verify(threads:progress:sink:)`` reads each entry once. Memory depends on the number of
/// files, not on their size.
///
///     let survey = SignatureSurvey(of: application, in: archive, trusting: .apple)
///     try archive.verify(threads: 2, sink: survey.sink)
///     let signatures = survey.signatures()
package struct SignatureSurvey: Sendable {
    private let application: AppBundle
    private let archive: ZipArchive
    /// By the bundle's path.
    private let seals: [RelativePath: Result<SealedResources, MalformedSeal>]
    private let needs: SurveyNeeds
    private let findings = SurveyFindings()

    package init(of application: AppBundle, in archive: ZipArchive, trusting anchors: TrustAnchors)
    {
        self.application = application
        self.archive = archive
        var reader = SmallFiles(archive)
        var seals: [RelativePath: Result<SealedResources, MalformedSeal>] = [:]
        var executables: [RelativePath: SpecialFiles] = [:]
        var digests: [RelativePath: WantedDigests] = [:]
        // Before the seals, which are larger, so that every Info.plist that was read before can be read
        // again within the budget.
        var infoPlists: [RelativePath: SpecialFile] = [:]
        for bundle in application.everyBundle where bundle.kind != .dynamicLibrary {
            infoPlists[bundle.path] = reader.bytes(of: bundle.path / "Info.plist")
                .map(SpecialFile.init)
        }
        for bundle in application.everyBundle {
            var files = SpecialFiles()
            if bundle.kind != .dynamicLibrary {
                files.sections = nil
                files.infoPlist = infoPlists[bundle.path]
                let seal = reader.seal(of: bundle.path)
                files.codeResources = seal?.file
                seals[bundle.path] = seal?.contents
            }
            if let path = bundle.executable?.path { executables[path] = files }
            guard let entries = try? seals[bundle.path]?.get().entries else { continue }
            digests.reserveCapacity(digests.count + entries.count)
            for (path, entry) in entries {
                guard let wanted = entry.item.wantedDigest else { continue }
                digests[bundle.path / path, default: []].insert(wanted)
            }
        }
        self.seals = seals
        needs = SurveyNeeds(
            archive: archive,
            anchors: anchors,
            executables: executables,
            digests: digests,
        )
    }

    /// The sink for an entry while the archive is read; nil for an entry that no signature covers.
    package func sink(for entry: ZipEntry) -> (any EntrySink)? {
        guard entry.kind != .directory, entry.path.isBelow(application.path) else {
            return nil
        }
        return SurveySink(entry, needs, findings)
    }

    /// Accepts the digests of a file that is not read because the caller has computed them from the same
    /// bytes.
    package func assume(_ digests: [DigestAlgorithm: [UInt8]], of path: RelativePath) {
        let digests = FileDigests(sha1: digests[.sha1], sha256: digests[.sha256])
        findings.note(.file(digests), at: path)
    }

    /// Accepts the target of a symbolic link likewise.
    package func assume(target: RelativePath, of path: RelativePath) {
        findings.note(.symbolicLink(target: target), at: path)
    }

    /// Returns the results, once every entry was read.
    package func signatures() -> BundleSignatures {
        let found = findings.all
        let unsealed = unsealedFiles()
        let declared = Set(needs.executables.keys)
        let loose = found.executables.values.filter { !declared.contains($0.path) }
        var codeHashes: [RelativePath: [[UInt8]]] = [:]
        for bundle in application.everyBundle {
            codeHashes[bundle.path] = bundle.executable.flatMap { found.executables[$0.path] }?
                .slices.compactMap { $0.signature.evidence?.chosen?.codeHash }
        }
        var budget = SealRuleSet.budget
        return signatures(
            of: application,
            found.executables,
            looseCode: loose.sorted { $0.path < $1.path },
        ) { bundle in
            self.seal(of: bundle, unsealed[bundle.path] ?? [], found.facts, codeHashes, &budget)
        }
    }

    private func signatures(
        of bundle: AppBundle,
        _ executables: [RelativePath: ExecutableEvidence],
        looseCode: [ExecutableEvidence] = [],
        seal: (AppBundle) -> SealEvidence?,
    ) -> BundleSignatures {
        BundleSignatures(
            path: bundle.path,
            kind: bundle.kind,
            executable: bundle.executable.flatMap { executables[$0.path] },
            seal: seal(bundle),
            nested: bundle.nested.map { signatures(of: $0, executables, seal: seal) },
            looseCode: looseCode,
        )
    }

    private func seal(
        of bundle: AppBundle,
        _ unsealed: [RelativePath],
        _ facts: [RelativePath: FileFacts],
        _ codeHashes: [RelativePath: [[UInt8]]],
        _ budget: inout Int,
    ) -> SealEvidence? {
        guard bundle.kind != .dynamicLibrary else { return nil }
        switch seals[bundle.path] {
        case nil: return SealEvidence(state: .absent, damages: [], malformedRules: [:])
        case .failure(let reason):
            return SealEvidence(state: .malformed(reason), damages: [], malformedRules: [:])
        case .success(let seal):
            let comparison = SealComparison(
                bundle: bundle.path,
                executable: bundle.executable?.name,
                seal: seal,
            )
            return comparison.evidence(
                files: unsealed,
                budget: &budget,
                facts: { facts[$0] },
                codeHashes: { codeHashes[$0] ?? [] },
            )
        }
    }

    /// For each bundle, the files below it that its seal does not name, relative to the bundle.
    private func unsealedFiles() -> [RelativePath: [RelativePath]] {
        let sealed = seals.compactMapValues { try? $0.get().entries }
        // Only prefixes as long as some bundle's path are looked up, because each lookup copies one.
        let lengths = Set(sealed.keys.map(\.bytes.count)).sorted()
        var files: [RelativePath: [RelativePath]] = [:]
        for entry in archive.entries
        where entry.kind != .directory && entry.path.isBelow(application.path) {
            let bytes = entry.path.bytes
            for slash in lengths {
                guard slash < bytes.count else { break }
                guard bytes[slash] == UInt8(ascii: "/") else { continue }
                let bundle = RelativePath(bytes[..<slash])
                guard let entries = sealed[bundle] else { continue }
                let path = RelativePath(bytes[(slash + 1)...])
                if entries[path] == nil { files[bundle, default: []].append(path) }
            }
        }
        return files
    }
}

extension SealedResources.Item {
    /// The digest for comparing the file.
    fileprivate var wantedDigest: WantedDigests? {
        switch self {
        case .file(let sha256, _): sha256 == nil ? .sha1 : .sha256
        // Only the file's presence matters; any algorithm will do.
        case .symbolicLink, .malformed: .sha256
        case .code: nil
        }
    }
}
