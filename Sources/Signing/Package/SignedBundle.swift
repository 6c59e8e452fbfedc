package import Bundles
package import Bytes

/// A signature of an app, as `ota sign` reports it: of a bundle, or of a library without one.
package struct SignedBundle: Sendable {
    /// The path in the archive: `Payload/X.app`, `Payload/X.app/Frameworks/libA.dylib`.
    package let path: RelativePath
    package let kind: BundleKind
    /// The identifier in the signature: the bundle identifier, or the name of a library file without
    /// extension.
    package let identifier: String
    /// Nil for frameworks and libraries.
    package let profile: SigningProfile?
    /// Nil for frameworks and libraries.
    package let entitlements: SignedEntitlements?
}
