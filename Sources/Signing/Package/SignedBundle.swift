package import Bundles
package import Bytes

/// One signature of an app, as `ota sign` reports it: of a bundle, or of a library without one.
package struct SignedBundle: Sendable {
    /// In the archive: `Payload/X.app`, `Payload/X.app/Frameworks/libA.dylib`.
    package let path: RelativePath
    package let kind: BundleKind
    /// What the code is signed as: the bundle identifier, or the name of a library's file.
    package let identifier: String
    /// Nil for frameworks and libraries, which carry none.
    package let profile: SigningProfile?
    /// Nil for frameworks and libraries, which have none.
    package let entitlements: SignedEntitlements?
}
