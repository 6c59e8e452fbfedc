/// All actions; the API has a route for each.
package enum Actions {
    /// The actions of each noun are listed where they are performed.
    package static let all: [any PerformedAction.Type] =
        server + apps + channels + releases + devices + groups + invitations + profiles + tokens
        + webhooks
        + mirrors + runners + builds + teams + jobs + signIn + retention + feedback + symbols
}
