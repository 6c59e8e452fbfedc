import Bytes
import Cryptography

/// Compares one bundle's seal with the files below the bundle in the archive.
struct SealComparison {
    /// The bundle's path in the archive.
    let bundle: RelativePath
    /// The executable's path relative to the bundle.
    let executable: RelativePath?
    let seal: SealedResources

    /// Returns the digests or the link target at a path, as found while the archive was read.
    typealias Facts = (_ path: RelativePath) -> FileFacts?

    /// Compares everything below the bundle.
    ///
    /// `files` are the files that the seal does not name, relative to the bundle. `facts` and
    /// `codeHashes` take paths in the archive; `codeHashes` returns the code directory hashes of a nested
    /// bundle. Pattern matching deducts its steps from `budget`.
    func evidence(
        files: [RelativePath],
        budget: inout Int,
        facts: Facts,
        codeHashes: (RelativePath) -> [[UInt8]],
    ) -> SealEvidence {
        var damages: [SealDamage] = []
        for (path, entry) in seal.entries {
            let place = bundle / path
            let kind =
                if case .code(let hash) = entry.item {
                    codeHashes(place).contains(hash) ? nil : SealDamage.Kind.codeReplaced
                } else {
                    damage(of: entry, facts(place))
                }
            if let kind { damages.append(SealDamage(path: place, kind: kind)) }
        }
        for path in files where !isAlwaysAllowed(path) {
            if let kind = unsealed(path, budget: &budget) {
                damages.append(SealDamage(path: bundle / path, kind: kind))
            }
        }
        return SealEvidence(
            state: .compared(version: seal.version, files: seal.entries.count),
            damages: damages.sorted { $0.path < $1.path },
            malformedRules: seal.rules.malformed,
        )
    }

    private func damage(
        of entry: SealedResources.Entry,
        _ facts: FileFacts?,
    ) -> SealDamage.Kind? {
        guard let facts else { return entry.isOptional ? nil : .missing }
        switch (entry.item, facts) {
        case (.file(let sha256, let sha1), .file(let digests)):
            if let sha256 { return digests.sha256 == sha256 ? nil : .modified }
            return digests.sha1 == sha1 ? nil : .modified
        case (.file, .symbolicLink): return .linkInPlaceOfFile
        case (.symbolicLink(let sealed), .symbolicLink(let found)):
            return sealed == found ? nil : .linkMoved(sealed: sealed, found: found)
        case (.symbolicLink(let sealed), .file): return .linkReplaced(sealed: sealed)
        case (.malformed, _), (.code, _): return .unreadableEntry
        }
    }

    /// Paths that Security never seals, and allows regardless of the rules.
    private func isAlwaysAllowed(_ path: RelativePath) -> Bool {
        switch path {
        case "Info.plist", "PkgInfo", "CodeResources", executable: true
        default: path.isBelow("_CodeSignature") || path.isBelow("SC_Info")
        }
    }

    private func unsealed(_ path: RelativePath, budget: inout Int) -> SealDamage.Kind? {
        do throws(SealRuleSet.TooCostly) {
            guard let rule = try seal.rules.deciding(path, budget: &budget), !rule.isOmitted else {
                return nil
            }
        } catch {
            return .undecided
        }
        return isInsideSealedCode(path) ? nil : .added
    }

    private func isInsideSealedCode(_ path: RelativePath) -> Bool {
        path.folders.contains { folder in
            if case .code = seal.entries[folder]?.item { true } else { false }
        }
    }
}
