import Identifiers
package import Releases

/// The form that changes an app's names, access, and other settings.
package struct AppSettingsForm: Sendable {
    let actionURL: String
    /// The version of the settings from which the form was rendered.
    let version: String
    let name: String
    let slug: String
    let accesses: [Choice]
    let hasPassphrase: Bool
    /// The groups that have access, separated by commas.
    let groups: String
    let isListed: Bool
    let isArchived: Bool
    let teams: [Option]
    let hasTeams: Bool
    let isSignedAutomatically: Bool
    let freshChannels: String
    let renewalDays: String
    let leastDays = "\(AppRecord.renewalRange.lowerBound)"
    let mostDays = "\(AppRecord.renewalRange.upperBound)"
    let isApprovedAutomatically: Bool
    let minimumVersion: String
    let feedbackWays: [Option]
    let feedbackLink: String
    let problem: PageProblem?

    /// - Parameters:
    ///   - app: the app, or the settings that were refused.
    ///   - url: the form's target.
    ///   - version: the version of the settings from which the form is rendered.
    ///   - hasPassphrase: whether a passphrase is set.
    ///   - teams: the teams for which the server can sign.
    ///   - problem: the reason for a refusal; nil for none.
    package init(
        of app: AppRecord,
        sentTo url: String,
        version: String,
        hasPassphrase: Bool,
        teams: [Team] = [],
        problem: PageProblem? = nil,
    ) {
        actionURL = url
        self.version = version
        name = app.title
        slug = app.slug.rawValue
        accesses = [
            Choice("open", "Open", "Anyone with the link can install.", chosen: app.access),
            Choice("passphrase", "Passphrase", "Testers enter a passphrase.", chosen: app.access),
            Choice(
                "enrolled",
                "Approved devices",
                "Only devices that are enrolled and approved.",
                chosen: app.access,
            ),
            Choice(
                "sign-in",
                "Sign-in",
                "Only testers who sign in at the provider.",
                chosen: app.access,
            ),
            Choice(
                "groups",
                "Groups",
                "Only approved devices in these groups, and people whom the provider makes members "
                    + "of them.",
                chosen: app.access,
            ),
        ]
        groups = app.access.groups.map(\.rawValue).joined(separator: ",")
        self.hasPassphrase = hasPassphrase
        isListed = app.isListed
        isArchived = app.isArchived
        self.teams = Option.all(teams) { $0 == app.team }
        hasTeams = !teams.isEmpty
        isSignedAutomatically = app.signing == .automatic
        freshChannels = FreshChannels(app.freshChannels).description
        renewalDays = "\(app.renewalDays)"
        isApprovedAutomatically = app.approval == .automatic
        minimumVersion = app.minimumVersion?.description ?? ""
        let link = if case .link(let url) = app.feedback { url } else { "" }
        feedbackLink = link
        feedbackWays = [("off", "Off"), ("form", "A form on this server"), ("link", "A link")].map {
            let isLink = $0.0 == "link" && !link.isEmpty
            return Option(
                value: $0.0,
                label: $0.1,
                isChosen: isLink || $0.0 == app.feedback.description,
            )
        }
        self.problem = problem
    }

    struct Option: Sendable {
        let value: String
        let label: String
        let isChosen: Bool

        /// Returns the option none, and one for each team.
        static func all(
            _ teams: [Team],
            where isChosen: (TeamIdentifier?) -> Bool,
        ) -> [Option] {
            [Option(value: "none", label: "None", isChosen: isChosen(nil))]
                + teams.map {
                    Option(
                        value: $0.identifier.rawValue,
                        label: $0.name,
                        isChosen: isChosen($0.identifier),
                    )
                }
        }
    }

    struct Choice: Sendable {
        let value: String
        let label: String
        let hint: String
        let isChosen: Bool

        init(_ value: String, _ label: String, _ hint: String, chosen: AppRecord.Access) {
            self.value = value
            self.label = label
            self.hint = hint
            isChosen = chosen.kind == value
        }
    }
}

extension AppRecord.Access {
    /// The value of the radio button for this access.
    fileprivate var kind: String {
        if case .groups = self { "groups" } else { description }
    }
}
