package import Identifiers

/// The URLs of all pages and files, defined in one place.
package struct Links: Sendable {
    package let base: BaseURL

    package init(base: BaseURL) {
        self.base = base
    }

    package var start: String { absolute("/") }
    package var trust: String { absolute("/trust") }

    package func app(_ slug: Slug, channel: ChannelName? = nil) -> String {
        absolute(path(app: slug, channel: channel))
    }

    package func release(_ release: ReleaseIdentifier, of slug: Slug) -> String {
        absolute("/apps/\(slug)/\(InstallLink.percentEncoded(release.rawValue))")
    }

    /// The page where a tester gives feedback about a build.
    package func feedback(about release: ReleaseIdentifier, of slug: Slug) -> String {
        self.release(release, of: slug) + "/feedback"
    }

    /// The page where a tester enters the code of an invitation.
    package var enrol: String { absolute("/enrol") }

    /// The link of an invitation; `token` is its secret.
    package func invitation(_ token: String) -> String { absolute("/enrol/\(token)") }

    /// The page with an invitation to print.
    package func poster(_ token: String) -> String { invitation(token) + "/poster" }

    /// The page where a tester sees their device's groups.
    package var ownGroups: String { absolute("/groups") }

    package func history(_ slug: Slug) -> String {
        absolute("/apps/\(slug)/history")
    }

    /// The QR code of an app's page, or of a channel's page, as SVG.
    package func code(_ slug: Slug, channel: ChannelName? = nil) -> String {
        let query = channel.map { "?channel=\(InstallLink.percentEncoded($0.rawValue))" } ?? ""
        return absolute("/apps/\(slug)/qr.svg") + query
    }

    /// The QR code of a release's page, as SVG.
    package func code(_ release: ReleaseIdentifier, of slug: Slug) -> String {
        self.release(release, of: slug) + "/qr.svg"
    }

    /// The folder to which a capability grants access; all its files belong to one release.
    package func install(_ capability: String) -> InstallFolder {
        InstallFolder(url: absolute("/install/\(capability)"))
    }

    /// The absolute public URL of a path on this server.
    package func absolute(_ path: String) -> String {
        base.rawValue + path
    }

    private func path(app slug: Slug, channel: ChannelName?) -> String {
        "/apps/\(slug)"
            + (channel.map { "?channel=\(InstallLink.percentEncoded($0.rawValue))" } ?? "")
    }
}

/// The URLs of the files of an installable build, on this server or in a static bundle.
package struct InstallFolder: Sendable {
    package let url: String

    /// - Parameter url: the absolute HTTPS URL of the folder, without a trailing slash.
    package init(url: String) {
        self.url = url
    }

    package var manifest: String { url + "/manifest.plist" }
    package var smallIcon: String { url + "/icon-57.png" }
    package var largeIcon: String { url + "/icon-512.png" }

    /// The URL of the IPA, by its file name without `.ipa`: letters, digits and hyphens.
    package func archive(named name: String) -> String { "\(url)/\(name).ipa" }

    package func installLink() -> String { InstallLink.link(toManifest: manifest) }

    package func manifestURLs(archiveName: String) -> InstallManifest.URLs {
        InstallManifest.URLs(
            archive: archive(named: archiveName),
            smallIcon: smallIcon,
            largeIcon: largeIcon,
        )
    }
}
