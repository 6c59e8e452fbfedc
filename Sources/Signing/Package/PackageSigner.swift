import Bundles
package import Bytes
package import PropertyLists
package import Zip

/// Signs the app in an archive, with all code inside it.
///
/// Reads the archive once to find all code and hash every file, then plans each signature from the
/// innermost code outwards. Nothing is written until ``SigningPlan`` writes it, so every signature is
/// known beforehand:
///
///     let signer = try PackageSigner(archive, for: request)
///     let plan = try signer.plan()
///     try plan.write { try file.write($0) }
package struct PackageSigner: Sendable {
    let archive: ZipArchive
    let request: SigningRequest
    let application: AppBundle
    /// The claims of bundles from Xcode's `.xcent` files beside the app, by the name of the bundle's
    /// folder.
    let archived: [RelativePath: PropertyList]
    /// Maximum total size in bytes of the old signatures, which are kept during signing because they
    /// contain each program's claims.
    ///
    /// A gigabyte of code has eight megabytes of them.
    package var signatureLimit = 32 << 20

    /// Finds the app in the archive.
    ///
    /// - Parameters:
    ///   - archive: an IPA, or a folder as an archive.
    ///   - request: the identity, profiles and entitlements to sign with.
    ///   - archived: the claims in Xcode's `.xcent` files beside an unsigned app, by the name of the
    ///     bundle's folder, such as `App.app`.
    /// - Throws: ``SigningRefusal/archive(_:)``.
    package init(
        _ archive: ZipArchive,
        for request: SigningRequest,
        archived: [RelativePath: PropertyList] = [:],
    ) throws(SigningRefusal) {
        self.archive = archive
        self.request = request
        self.archived = archived
        do throws(BundleRefusal) {
            application = try AppBundle(in: archive)
        } catch {
            throw .archive(error)
        }
    }

    /// Plans every signature, without writing anything.
    ///
    /// - Parameters:
    ///   - threads: the number of threads that read and hash.
    ///   - progress: called with the completed share, 0 to 1, from any thread.
    /// - Returns: the plan; the same for equal arguments.
    /// - Throws: ``SigningRefusal``, the first in the order of the bundles, the app's own last.
    package func plan(
        threads: Int = 2,
        progress: @escaping @Sendable (Double) -> Void = { _ in },
    ) throws(SigningRefusal) -> SigningPlan {
        try CodeSurvey.requirePlainFiles(in: archive, below: application.path)
        let declared = application.everyBundle.filter { $0.kind != .dynamicLibrary }
        let survey = CodeSurvey(
            of: application.path,
            declared: Set(declared.compactMap { $0.executable?.path }),
            former: FormerSeal(of: application.path, in: archive),
            signatureLimit: signatureLimit,
        )
        let total = max(1, archive.compressedSize)
        do throws(ZipRefusal) {
            try archive.verify(
                threads: threads,
                progress: { progress(Self.readingShare * Double($0) / Double(total)) },
                sink: survey.sink,
            )
            let lacking = survey.lacking
            if !lacking.isEmpty {
                try archive.verify(
                    threads: threads,
                    among: { lacking.contains($0.path) },
                    sink: survey.secondSink,
                )
            }
        } catch {
            throw .archive(.archive(error))
        }
        try survey.requireReadable()
        let programs = survey.programs
        let tree = try CodeTree(of: application, in: archive, programs: programs)
        for item in tree.items { try item.checkPlaces(in: archive) }
        let grants = try grants(for: tree.items)
        var files = SealedFiles(survey.files)
        var changes = BundleChanges(for: tree.items, grants, in: archive, &files)
        let signing = TreeSigning(
            signer: ProgramSigner(identity: request.identity, at: request.date),
            archive: archive,
            threads: threads,
        )
        try signing.sign(tree.items, grants, in: &files, noting: &changes) {
            progress(Self.readingShare + (1 - Self.readingShare) * $0)
        }
        return SigningPlan(
            archive: archive,
            application: application.path,
            changes: changes.changes,
            additions: changes.additions,
            known: files.facts.filter {
                changes.changes[$0.key] == nil && programs[$0.key] == nil
            },
            bundles: tree.items.map {
                SignedBundle(
                    path: $0.path,
                    kind: $0.kind,
                    identifier: $0.identifier,
                    profile: grants[$0.path]?.profile,
                    entitlements: grants[$0.path]?.entitlements,
                )
            },
        )
    }

    /// The share of reading in the work; the rest is signing.
    private static let readingShare = 0.7
}
