import Identifiers
package import Releases

/// What an admin can do with a release.
package struct ReleaseActions: Sendable {
    let promoteURL: String
    let notesURL: String
    let withdrawURL: String?
    let restoreURL: String?
    let pinURL: String?
    let unpinURL: String?
    /// Nil where the app has no team to sign it.
    let signURL: String?
    /// Channels that offer something else.
    let channels: [String]
    let canPromote: Bool
    let channel: String
    let expires: String
    let problem: PageProblem?

    /// What was typed to promote the release, and why it was refused.
    package struct Typed: Sendable {
        let channel: String
        let expires: String
        let problem: PageProblem

        package init(channel: String, expires: String, problem: PageProblem) {
            self.channel = channel
            self.expires = expires
            self.problem = problem
        }
    }

    /// - Parameters:
    ///   - release: the release.
    ///   - app: its app.
    ///   - links: where the forms go.
    ///   - typed: a promotion that was refused; nil before any was tried.
    package init(
        for release: Release,
        of app: AppRecord,
        links: AdminReleaseLinks,
        typed: Typed? = nil,
    ) {
        channel = typed?.channel ?? ""
        expires = typed?.expires ?? ""
        problem = typed?.problem

        let isWithdrawn = release.withdrawal != nil
        promoteURL = links.promote
        notesURL = links.notes
        withdrawURL = isWithdrawn ? nil : links.withdraw
        restoreURL = isWithdrawn ? links.restore : nil
        pinURL = release.pin == nil ? links.pin : nil
        unpinURL = release.pin == nil ? nil : links.unpin
        let canSign = app.team != nil && !isWithdrawn && release.keepsOriginal
        signURL = canSign ? links.sign : nil
        channels = app.channels.filter { $0.value != release.identifier }.keys.sorted()
            .map(\.rawValue)
        canPromote = !isWithdrawn
    }
}
