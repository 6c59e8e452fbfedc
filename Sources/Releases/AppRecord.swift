package import Access
import Bundles
import Bytes
package import Essentials
package import Identifiers

/// One app as the store keeps it: `apps/{bundle-id}/app.json`.
package struct AppRecord: Codable, Sendable, Equatable {
    /// When the server signs the app's builds with what its team has.
    package enum Signing: String, WordCoded, Sendable {
        /// As soon as a newer profile of the team reaches more devices, or lasts longer.
        case automatic
        /// When an admin says so.
        case manual
    }

    /// Who approves a device that enrols by an invitation to the app.
    package enum Approval: String, WordCoded, Sendable {
        /// No one: anyone who has the invitation has the approval.
        case automatic
        /// An admin.
        case manual
    }

    package var schema = 1
    package let bundleIdentifier: BundleIdentifier
    package var title: String
    package var slug: Slug
    package var access: Access
    /// The groups that single channels are open to, in place of ``access``; nil for none.
    package internal(set) var channelGroups: [ChannelName: GroupNames]?
    /// What opens the app's pages under ``Access/passphrase``; without one no visitor can open
    /// them.
    package var passphrase: PassphraseHash?
    /// Whether the start page names the app while it is not archived.
    package var isListed: Bool
    /// Kept only where it is true; see ``isArchived``.
    private var archivedChoice: Bool?
    /// The team in whose name the server may sign the app's builds; nil for none.
    package var team: TeamIdentifier?
    /// Kept only where there is a team; see ``signing``.
    private var signingChoice: Signing?
    /// Kept only where it is not the default; see ``approval``.
    private var approvalChoice: Approval?
    /// The channels whose releases are signed again by themselves; nil for all of them.
    package var freshChannels: [ChannelName]?
    /// The lowest version that testers may still use; nil for any.
    package var minimumVersion: MinimumVersion?
    /// Kept only where it is not the default; see ``renewalDays``.
    private var renewalChoice: Int?
    /// Which of its releases stay; nil for what the store says for all apps.
    package var retention: RetentionRules?
    /// Kept only where it is not the default; see ``feedback``.
    private var feedbackChoice: FeedbackWay?
    /// What each channel offers now.
    package var channels: [ChannelName: ReleaseIdentifier]
    /// When channels end; nil where all of them last.
    package var channelEnds: [ChannelName: Date]?
    /// The channels that ended, as far back as they are remembered; nil for none.
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

    /// When the server signs the app's builds; without a team no one can, so that it is manual.
    package var signing: Signing {
        get { team == nil ? .manual : signingChoice ?? .manual }
        set { signingChoice = newValue }
    }

    /// Who approves a device that enrols by an invitation to the app.
    package var approval: Approval {
        get { approvalChoice ?? .manual }
        set { approvalChoice = newValue == .manual ? nil : newValue }
    }

    /// Whether the app takes no new builds, and lists leave it out; its links and installs keep working.
    package var isArchived: Bool {
        get { archivedChoice ?? false }
        set { archivedChoice = newValue ? true : nil }
    }

    /// Whether the start page names the app.
    package var isOnStartPage: Bool { isListed && !isArchived }

    /// How many days before their end profiles and certificates are renewed.
    package static let usualRenewalDays = 30
    /// What ``renewalDays`` may be.
    package static let renewalRange = 1...180

    /// How many days before their end the app's profiles and its team's certificate are renewed.
    package var renewalDays: Int {
        get { renewalChoice ?? Self.usualRenewalDays }
        set { renewalChoice = newValue == Self.usualRenewalDays ? nil : newValue }
    }

    /// How a tester says what went wrong with the app.
    package var feedback: FeedbackWay {
        get { feedbackChoice ?? .off }
        set { feedbackChoice = newValue == .off ? nil : newValue }
    }

    /// Whether a release that a channel offers is signed again by itself.
    package func keepsFresh(_ channel: ChannelName) -> Bool {
        signing == .automatic && freshChannels?.contains(channel) ?? true
    }

    /// The channel that a page without `?channel=` shows: `stable`, else the first by name that
    /// lasts.
    package var defaultChannel: ChannelName? {
        guard channels[.stable] == nil else { return .stable }
        return channels.keys.filter(lasts).min()
    }
}
