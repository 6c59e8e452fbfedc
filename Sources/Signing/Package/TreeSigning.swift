import Bundles
import Bytes
import PropertyLists
import Synchronization
import Zip

/// Signs the code of an app from the innermost outwards; code of equal depth is signed in parallel.
struct TreeSigning {
    let signer: ProgramSigner
    let archive: ZipArchive
    let threads: Int

    /// The changes by one signature of a bundle or a library.
    private struct Outcome: Sendable {
        let seal: [UInt8]?
        let program: SignedProgram
    }

    /// - Throws: the refusal of the first item of the deepest level that has one.
    func sign(
        _ items: [CodeItem],
        _ grants: [RelativePath: BundleGrant],
        in files: inout SealedFiles,
        noting changes: inout BundleChanges,
        progress: @Sendable (Double) -> Void,
    ) throws(SigningRefusal) {
        let total = max(1, items.reduce(0) { $0 + $1.program.size })
        var done = 0
        for level in Self.levels(of: items) {
            let outcomes = try signed(level, grants, files)
            for (item, outcome) in zip(level, outcomes) {
                if let seal = outcome.seal {
                    let path = item.path / "_CodeSignature/CodeResources"
                    changes.note(.contents(seal), at: path)
                    files.note(seal, at: path)
                }
                changes.note(.program(outcome.program), at: item.program.path)
                files.note(
                    .file(sha1: outcome.program.sha1, sha256: outcome.program.sha256),
                    at: item.program.path,
                )
                done += item.program.size
            }
            progress(Double(done) / Double(total))
        }
    }

    /// Libraries without a bundle, then bundles from the deepest to the app.
    private static func levels(of items: [CodeItem]) -> [[CodeItem]] {
        let bundles = Dictionary(grouping: items.filter(\.isBundle), by: \.depth)
        let libraries = items.filter { !$0.isBundle }
        return (libraries.isEmpty ? [] : [libraries])
            + bundles.sorted { $0.key > $1.key }.map(\.value)
    }

    private func signed(
        _ level: [CodeItem],
        _ grants: [RelativePath: BundleGrant],
        _ files: SealedFiles,
    ) throws(SigningRefusal) -> [Outcome] {
        let results = Mutex<[Int: Result<Outcome, SigningRefusal>]>([:])
        let next = Atomic<Int>(0)
        // Largest first, so that no thread finishes long after the others.
        let order = level.indices.sorted { level[$0].program.size > level[$1].program.size }
        WorkerThread.run(on: min(threads, level.count)) {
            while true {
                let position = next.add(1, ordering: .relaxed).oldValue
                guard position < order.count else { return }
                let item = level[order[position]]
                let result = Result { () throws(SigningRefusal) in
                    try signed(item, grants[item.path], files)
                }
                results.withLock { $0[order[position]] = result }
            }
        }
        let all = results.withLock { $0 }
        var outcomes: [Outcome] = []
        for index in level.indices {
            if let outcome = try all[index]?.get() { outcomes.append(outcome) }
        }
        return outcomes
    }

    private func signed(
        _ item: CodeItem,
        _ grant: BundleGrant?,
        _ files: SealedFiles,
    ) throws(SigningRefusal) -> Outcome {
        var seals = CodeSeals(identifier: item.identifier)
        if item.isBundle {
            seals.infoPlist = try information(of: item)
            let seal = files.seal(of: item.path, program: item.program.path)
            seals.codeResources = seal.propertyList.xml()
            seals.entitlements = grant.map { .dictionary($0.entitlements.kept) }
        }
        let program = try signer.sign(
            ArchivedFile(entry: item.program, archive: archive),
            headers: item.headers,
            named: item.program.path,
            sealing: seals,
        )
        return Outcome(seal: seals.codeResources, program: program)
    }

    private func information(of item: CodeItem) throws(SigningRefusal) -> [UInt8]? {
        let path = item.path / "Info.plist"
        guard let entry = archive[path], entry.kind == .file else { return nil }
        do throws(ZipRefusal) {
            return try archive.contents(of: entry, atMost: entry.size)
        } catch {
            throw .archive(.archive(error))
        }
    }
}
