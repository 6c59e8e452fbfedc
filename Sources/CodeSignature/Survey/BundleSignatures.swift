package import Bundles
package import Bytes

/// What holds of the signatures of one bundle and of everything in it.
package struct BundleSignatures: Sendable {
    /// In the archive.
    package let path: RelativePath
    package let kind: BundleKind
    /// Nil when the bundle has no executable.
    package let executable: ExecutableEvidence?
    /// Nil for a library, which is a file and seals nothing.
    package let seal: SealEvidence?
    /// In the order of ``AppBundle/nested``.
    package let nested: [BundleSignatures]
    /// Programs and libraries that are no bundle's executable; of the app alone.
    package let looseCode: [ExecutableEvidence]

    /// This bundle and all below it, depth first, as ``AppBundle/everyBundle``.
    package var everyBundle: [BundleSignatures] { [self] + nested.flatMap(\.everyBundle) }

    /// Whether every executable is there and signed as it should be, and every seal is unbroken.
    ///
    /// Dates, and whether a profile allows any of it, are not asked.
    package var isIntact: Bool {
        everyBundle.allSatisfy {
            $0.executable?.isIntact ?? false && $0.seal?.isIntact ?? true
        } && looseCode.allSatisfy(\.isIntact)
    }
}
