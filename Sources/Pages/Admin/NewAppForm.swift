import Identifiers
package import Releases

/// The form that adds an app before its first build.
package struct NewAppForm: Sendable {
    let actionURL: String
    let identifier: String
    let name: String
    let teams: [AppSettingsForm.Option]
    let hasTeams: Bool
    let isSignedAutomatically: Bool
    let problem: PageProblem?

    /// The form's input, and the reason for a refusal.
    package struct Draft: Sendable {
        package var identifier = ""
        package var title = ""
        /// The identifier of a team; empty for none.
        package var team = ""
        package var isAutomatic = false
        package var problem: PageProblem?

        package init() {}
    }

    /// - Parameters:
    ///   - draft: the form's input.
    ///   - url: the form's target.
    ///   - teams: the teams for which the server can sign.
    package init(_ draft: Draft = Draft(), sentTo url: String, teams: [Team]) {
        actionURL = url
        identifier = draft.identifier
        name = draft.title
        self.teams = AppSettingsForm.Option.all(teams) { $0?.rawValue ?? "none" == draft.team }
        hasTeams = !teams.isEmpty
        isSignedAutomatically = draft.isAutomatic
        problem = draft.problem
    }
}
