package import Bundles
package import Bytes

/// The signature evidence on one bundle and on its nested bundles.
package struct BundleSignatures: Sendable {
    /// The path in the archive.
    package let path: RelativePath
    package let kind: BundleKind
    /// Nil when the bundle has no executable.
    package let executable: ExecutableEvidence?
    /// Nil for a library, which is a file and has no seal.
    package let seal: SealEvidence?
    /// In the order of ``AppBundle/nested``.
    package let nested: [BundleSignatures]
    /// Programs and libraries that are not the executable of a bundle; only set for the app itself.
    package let looseCode: [ExecutableEvidence]

    /// This bundle and all below it, depth first, as ``AppBundle/everyBundle``.
    package var everyBundle: [BundleSignatures] { [self] + nested.flatMap(\.everyBundle) }

    /// Whether every executable is present and validly signed, and every seal is intact.
    ///
    /// Dates and profiles are not checked.
    package var isIntact: Bool {
        everyBundle.allSatisfy {
            $0.executable?.isIntact ?? false && $0.seal?.isIntact ?? true
        } && looseCode.allSatisfy(\.isIntact)
    }
}
