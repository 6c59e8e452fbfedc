package import Access
import Bundles
import Bytes
package import Essentials
package import Identifiers

/// One app as the store keeps it: `apps/{bundle-id}/app.json`.
package struct AppRecord: Codable, Sendable, Equatable {
    /// Who may see the app's pages and install from them.
    package enum Access: String, WordCoded, Sendable {
        /// Anyone who has the link.
        case open
        /// Anyone who knows the passphrase.
        case passphrase
        /// Approved devices only.
        case enrolled
    }

    /// When the server signs the app's builds with what its team has.
    package enum Signing: String, WordCoded, Sendable {
        /// As soon as a newer profile of the team reaches more devices, or lasts longer.
        case automatic
        /// When an admin says so.
        case manual
    }

    package var schema = 1
    package let bundleIdentifier: BundleIdentifier
    package var title: String
    package var slug: Slug
    package var access: Access
    /// What opens the app's pages under ``Access/passphrase``; without one no visitor can open
    /// them.
    package var passphrase: PassphraseHash?
    /// Whether the start page names the app.
    package var isListed: Bool
    /// The team in whose name the server may sign the app's builds; nil for none.
    package var team: TeamIdentifier?
    /// Kept only where there is a team; see ``signing``.
    private var signingChoice: Signing?
    /// What each channel offers now.
    package var channels: [ChannelName: ReleaseIdentifier]
    package let created: Date

    package init(
        bundleIdentifier: BundleIdentifier,
        title: String,
        slug: Slug,
        created: Date,
    ) {
        self.bundleIdentifier = bundleIdentifier
        self.title = title
        self.slug = slug
        access = .open
        isListed = true
        channels = [:]
        self.created = created
    }

    private enum CodingKeys: String, CodingKey {
        case schema, bundleIdentifier, title, slug, access, passphrase, isListed, team, channels
        case created
        case signingChoice = "signing"
    }

    /// When the server signs the app's builds; without a team no one can, so that it is manual.
    package var signing: Signing {
        get { team == nil ? .manual : signingChoice ?? .manual }
        set { signingChoice = newValue }
    }

    /// The channel that a page without `?channel=` shows: `stable`, else the first by name.
    package var defaultChannel: ChannelName? {
        channels[.stable] != nil ? .stable : channels.keys.min()
    }
}
