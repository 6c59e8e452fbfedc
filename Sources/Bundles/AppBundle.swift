package import Bytes
package import Zip

/// One bundle of an IPA: the app, or something nested in it.
package struct AppBundle: Sendable {
    package let kind: BundleKind
    /// The path in the archive: `Payload/X.app`, `Payload/X.app/PlugIns/W.appex`.
    package let path: RelativePath
    package let info: InfoPlist
    /// The file that `CFBundleExecutable` names; nil when there is none of that name.
    package let executable: ZipEntry?
    package let profile: ProfileEnvelope?
    /// The bundles directly inside, by path.
    package let nested: [AppBundle]
    /// What of this bundle could not be read, although the bundle is there.
    ///
    /// Always empty for the app itself: an app that cannot be read is refused.
    package let defects: [BundleRefusal]

    /// This bundle and all below it, depth first.
    package var everyBundle: [AppBundle] { [self] + nested.flatMap(\.everyBundle) }

    /// The folder's name without its extension.
    package var folderName: String { path.stem.text }

    /// What to call the bundle in a sentence.
    package var name: String { info.displayName ?? folderName }
}
