/// Every action; the API makes a route of each.
package enum Actions {
    /// Each noun lists its actions where they are performed.
    package static let all: [any PerformedAction.Type] =
        server + apps + channels + releases + devices + groups + invitations + profiles + tokens
        + webhooks
        + mirrors + runners + builds + teams + jobs + signIn + retention + feedback + symbols
}
