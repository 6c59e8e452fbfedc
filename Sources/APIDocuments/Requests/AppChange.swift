import Bytes
package import Identifiers
package import Releases

/// A change of an app; nil leaves a setting unchanged.
package struct AppChange: Codable, Sendable, Equatable {
    /// In characters.
    package static let titleLimit = 80

    package var title: String?
    package var access: AppRecord.Access?
    /// The app's name in URLs; the server redirects the previous name to the new one.
    package var slug: Slug?
    /// The passphrase for ``AppRecord/Access/passphrase``; stored as a hash.
    package var passphrase: String?
    /// Whether the start page lists the app.
    package var isListed: Bool?
    /// Whether it takes no new builds and is left out of lists.
    package var isArchived: Bool?
    /// The team for which its builds are signed.
    package var team: TeamChoice?
    package var signing: AppRecord.Signing?
    /// Who approves a device that enrols with an invitation for the app.
    package var approval: AppRecord.Approval?
    /// The channels whose releases are signed again automatically.
    package var freshChannels: FreshChannels?
    /// How many days before their expiry profiles and the certificate are renewed; in
    /// `AppRecord.renewalRange`.
    package var renewalDays: Int?
    /// The lowest version that testers may still use.
    package var minimumVersion: MinimumVersionChoice?
    /// How testers give feedback.
    package var feedback: FeedbackWay?

    private enum CodingKeys: String, CodingKey {
        case title, access, slug, passphrase, team, signing, approval, freshChannels, renewalDays
        case minimumVersion, feedback
        case isListed = "listed"
        case isArchived = "archived"
    }

    package init(
        title: String? = nil,
        access: AppRecord.Access? = nil,
        slug: Slug? = nil,
        passphrase: String? = nil,
        isListed: Bool? = nil,
        isArchived: Bool? = nil,
        team: TeamChoice? = nil,
        signing: AppRecord.Signing? = nil,
        approval: AppRecord.Approval? = nil,
        freshChannels: FreshChannels? = nil,
        renewalDays: Int? = nil,
        minimumVersion: MinimumVersionChoice? = nil,
        feedback: FeedbackWay? = nil,
    ) {
        self.title = title
        self.access = access
        self.slug = slug
        self.passphrase = passphrase
        self.isListed = isListed
        self.isArchived = isArchived
        self.team = team
        self.signing = signing
        self.approval = approval
        self.freshChannels = freshChannels
        self.renewalDays = renewalDays
        self.minimumVersion = minimumVersion
        self.feedback = feedback
    }
}

/// A team, or the word `none`.
package struct TeamChoice: Sendable, Equatable, TextCoded {
    /// Nil for none.
    package let team: TeamIdentifier?

    package init?(_ text: String) {
        guard text != Self.none else {
            team = nil
            return
        }
        guard let team = TeamIdentifier(text) else { return nil }
        self.team = team
    }

    private static let none = "none"

    package static let kindOfText = "\(TeamIdentifier.kindOfText), or none"

    package var description: String { team?.rawValue ?? Self.none }
}
