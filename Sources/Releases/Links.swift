package import Identifiers

/// Every URL that the product makes, in one place.
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

    /// Where a tester says what went wrong with a build.
    package func feedback(about release: ReleaseIdentifier, of slug: Slug) -> String {
        self.release(release, of: slug) + "/feedback"
    }

    /// Where a tester types the code of an invitation.
    package var enrol: String { absolute("/enrol") }

    /// The link of one invitation; `token` is its secret.
    package func invitation(_ token: String) -> String { absolute("/enrol/\(token)") }

    /// A page of an invitation to print.
    package func poster(_ token: String) -> String { invitation(token) + "/poster" }

    /// Where a tester sees the groups of their device.
    package var ownGroups: String { absolute("/groups") }

    package func history(_ slug: Slug) -> String {
        absolute("/apps/\(slug)/history")
    }

    /// The QR code of an app's page, or that of one channel, as an SVG.
    package func code(_ slug: Slug, channel: ChannelName? = nil) -> String {
        let query = channel.map { "?channel=\(InstallLink.percentEncoded($0.rawValue))" } ?? ""
        return absolute("/apps/\(slug)/qr.svg") + query
    }

    /// The QR code of a release's page, as an SVG.
    package func code(_ release: ReleaseIdentifier, of slug: Slug) -> String {
        self.release(release, of: slug) + "/qr.svg"
    }

    /// The folder that one capability opens; everything in it belongs to one release.
    package func install(_ capability: String) -> InstallFolder {
        InstallFolder(url: absolute("/install/\(capability)"))
    }

    /// A path on this server as the absolute URL that the outside uses.
    package func absolute(_ path: String) -> String {
        base.rawValue + path
    }

    private func path(app slug: Slug, channel: ChannelName?) -> String {
        "/apps/\(slug)"
            + (channel.map { "?channel=\(InstallLink.percentEncoded($0.rawValue))" } ?? "")
    }
}

/// The URLs of one installable build, on this server or in a static bundle.
package struct InstallFolder: Sendable {
    package let url: String

    /// - Parameter url: absolute HTTPS URL of the folder, without a trailing slash.
    package init(url: String) {
        self.url = url
    }

    package var manifest: String { url + "/manifest.plist" }
    package var smallIcon: String { url + "/icon-57.png" }
    package var largeIcon: String { url + "/icon-512.png" }

    /// The IPA, by its file name without `.ipa`: letters, digits and hyphens.
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
