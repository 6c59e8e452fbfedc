package import Bytes
package import Zip

/// A bundle of an IPA: the app, or a bundle nested in it.
package struct AppBundle: Sendable {
    package let kind: BundleKind
    /// The path in the archive: `Payload/X.app`, `Payload/X.app/PlugIns/W.appex`.
    package let path: RelativePath
    package let info: InfoPlist
    /// The file named by `CFBundleExecutable`; nil when it is missing.
    package let executable: ZipEntry?
    package let profile: ProfileEnvelope?
    /// The bundles directly inside, sorted by path.
    package let nested: [AppBundle]
    /// Why parts of this bundle cannot be read.
    ///
    /// Always empty for the app itself, which is refused if it cannot be read.
    package let defects: [BundleRefusal]

    /// This bundle and all nested ones, depth first.
    package var everyBundle: [AppBundle] { [self] + nested.flatMap(\.everyBundle) }

    /// The folder's name without its extension.
    package var folderName: String { path.stem.text }

    /// The name of the bundle in messages.
    package var name: String { info.displayName ?? folderName }
}
