import Bytes
package import Identifiers
package import Releases

/// What may be changed of an app; nil leaves it as it is.
package struct AppChange: Codable, Sendable, Equatable {
    /// In characters.
    package static let titleLimit = 80

    package var title: String?
    package var access: AppRecord.Access?
    /// The app's name in URLs; the server redirects the previous name to the new one.
    package var slug: Slug?
    /// What opens it under ``AppRecord/Access/passphrase``; kept as a hash.
    package var passphrase: String?
    /// Whether the start page names the app.
    package var isListed: Bool?
    /// Whether it takes no new builds, and lists leave it out.
    package var isArchived: Bool?
    /// The team in whose name its builds are signed.
    package var team: TeamChoice?
    package var signing: AppRecord.Signing?
    /// Who approves a device that enrols by an invitation to the app.
    package var approval: AppRecord.Approval?
    /// The channels whose releases are signed again by themselves.
    package var freshChannels: FreshChannels?
    /// How many days before their end profiles and certificate are renewed; in
    /// `AppRecord.renewalRange`.
    package var renewalDays: Int?
    /// The lowest version that testers may still use.
    package var minimumVersion: MinimumVersionChoice?
    /// How a tester says what went wrong.
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
    /// nil for none.
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
