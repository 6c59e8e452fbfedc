import Bundles
import Cryptography
import Identifiers
package import PropertyLists

/// The property list that `itms-services` fetches to learn what to install.
///
/// The keys follow Apple's ManifestURL documentation (Device Management). `bundle-version` is
/// `CFBundleVersion`, and the subtitle has the version that people know.
package struct InstallManifest: Sendable {
    private let release: Release
    private let title: String
    private let urls: URLs

    /// The absolute HTTPS URLs of the three assets.
    package struct URLs: Sendable {
        package var archive: String
        package let smallIcon: String
        package let largeIcon: String

        package init(archive: String, smallIcon: String, largeIcon: String) {
            self.archive = archive
            self.smallIcon = smallIcon
            self.largeIcon = largeIcon
        }
    }

    /// - Parameters:
    ///   - release: the release to install.
    ///   - title: the name that iOS shows; nil for the release's name.
    ///   - urls: the URLs of the assets.
    package init(of release: Release, titled title: String? = nil, at urls: URLs) {
        self.release = release
        self.title = title ?? release.name
        self.urls = urls
    }

    package var propertyList: PropertyList {
        .dictionary([
            "items": .array([
                .dictionary([
                    "assets": .array([archive, smallIcon, largeIcon]),
                    "metadata": metadata,
                ])
            ])
        ])
    }

    /// The XML document, served as `text/xml`.
    package func xml() -> [UInt8] {
        propertyList.xml()
    }

    /// Digests of chunks, so that the phone can reject a damaged chunk at once and resume after the last
    /// good one.
    private var archive: PropertyList {
        .dictionary([
            "kind": .string("software-package"),
            "url": .string(urls.archive),
            "sha256-size": .integer(Int64(release.chunks.size)),
            "sha256s": .array(release.chunks.digests.map { .string($0.description) }),
        ])
    }

    private var smallIcon: PropertyList {
        .dictionary([
            "kind": .string("display-image"),
            "url": .string(urls.smallIcon),
            "needs-shine": .boolean(false),
        ])
    }

    private var largeIcon: PropertyList {
        .dictionary([
            "kind": .string("full-size-image"),
            "url": .string(urls.largeIcon),
            "needs-shine": .boolean(false),
        ])
    }

    private var metadata: PropertyList {
        .dictionary([
            "bundle-identifier": .string(release.bundleIdentifier.rawValue),
            "bundle-version": .string(release.build),
            "kind": .string("software"),
            "title": .string(title),
            "subtitle": .string("\(release.version) (\(release.build))"),
        ])
    }
}
