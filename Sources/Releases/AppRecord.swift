package import Access
import Bundles
import Bytes
package import Essentials
package import Identifiers

/// An app in the store: `apps/{bundle-id}/app.json`.
package struct AppRecord: Codable, Sendable, Equatable {
    /// When the server signs the app's builds with its team's identity.
    package enum Signing: String, WordCoded, Sendable {
        /// As soon as a newer profile of the team has more devices or expires later.
        case automatic
        /// When an admin requests it.
        case manual
    }

    /// Who approves a device that enrols with an invitation for the app.
    package enum Approval: String, WordCoded, Sendable {
        /// No one: everyone with the invitation is approved.
        case automatic
        /// An admin.
        case manual
    }

    package var schema = 1
    package let bundleIdentifier: BundleIdentifier
    package var title: String
    package var slug: Slug
    package var access: Access
    /// The groups to which single channels are open, in place of ``access``; nil for none.
    package internal(set) var channelGroups: [ChannelName: GroupNames]?
    /// The passphrase that opens the app's pages for ``Access/passphrase``; without one, no visitor can
    /// open them.
    package var passphrase: PassphraseHash?
    /// Whether the start page lists the app unless it is archived.
    package var isListed: Bool
    /// Stored only if true; see ``isArchived``.
    private var archivedChoice: Bool?
    /// The team for which the server may sign the app's builds; nil for none.
    package var team: TeamIdentifier?
    /// Ignored without a team; see ``signing``.
    private var signingChoice: Signing?
    /// Stored only if it is not the default; see ``approval``.
    private var approvalChoice: Approval?
    /// The channels whose releases are signed again automatically; nil for all channels.
    package var freshChannels: [ChannelName]?
    /// The lowest version that testers may still use; nil for any.
    package var minimumVersion: MinimumVersion?
    /// Stored only if it is not the default; see ``renewalDays``.
    private var renewalChoice: Int?
    /// The app's own retention rules; nil for the store's default ones.
    package var retention: RetentionRules?
    /// Stored only if it is not the default; see ``feedback``.
    private var feedbackChoice: FeedbackWay?
    /// The release that each channel offers.
    package var channels: [ChannelName: ReleaseIdentifier]
    /// When channels end; nil if none does.
    package var channelEnds: [ChannelName: Date]?
    /// The latest channels that ended, up to a limit; nil for none.
    package var endedChannels: [ChannelName: EndedChannel]?
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
        case created, freshChannels, channelEnds, endedChannels, minimumVersion, channelGroups
        case signingChoice = "signing"
        case approvalChoice = "approval"
        case renewalChoice = "renewalDays"
        case retention
        case feedbackChoice = "feedback"
        case archivedChoice = "isArchived"
    }

    /// When the server signs the app's builds; always manual without a team.
    package var signing: Signing {
        get { team == nil ? .manual : signingChoice ?? .manual }
        set { signingChoice = newValue }
    }

    /// Who approves a device that enrols with an invitation for the app.
    package var approval: Approval {
        get { approvalChoice ?? .manual }
        set { approvalChoice = newValue == .manual ? nil : newValue }
    }

    /// Whether the app takes no new builds and is left out of lists; its links and installs keep working.
    package var isArchived: Bool {
        get { archivedChoice ?? false }
        set { archivedChoice = newValue ? true : nil }
    }

    /// Whether the start page lists the app.
    package var isOnStartPage: Bool { isListed && !isArchived }

    /// The default number of days before their expiry at which profiles and certificates are renewed.
    package static let usualRenewalDays = 30
    /// The allowed values of ``renewalDays``.
    package static let renewalRange = 1...180

    /// How many days before their expiry the app's profiles and its team's certificate are renewed.
    package var renewalDays: Int {
        get { renewalChoice ?? Self.usualRenewalDays }
        set { renewalChoice = newValue == Self.usualRenewalDays ? nil : newValue }
    }

    /// How testers give feedback about the app.
    package var feedback: FeedbackWay {
        get { feedbackChoice ?? .off }
        set { feedbackChoice = newValue == .off ? nil : newValue }
    }

    /// Whether a release that a channel offers is signed again automatically.
    package func keepsFresh(_ channel: ChannelName) -> Bool {
        signing == .automatic && freshChannels?.contains(channel) ?? true
    }

    /// The channel that a page without `?channel=` shows: `stable`, otherwise the first by name that has no
    /// end.
    package var defaultChannel: ChannelName? {
        guard channels[.stable] == nil else { return .stable }
        return channels.keys.filter(lasts).min()
    }
}
