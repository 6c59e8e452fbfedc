import Identifiers
package import Releases

/// The actions on a release.
package struct ReleaseActions: Sendable {
    let promoteURL: String
    let notesURL: String
    let withdrawURL: String?
    let restoreURL: String?
    let pinURL: String?
    let unpinURL: String?
    /// Nil if the app has no team that can sign it.
    let signURL: String?
    /// Channels that offer another release.
    let channels: [String]
    let canPromote: Bool
    let channel: String
    let expires: String
    let problem: PageProblem?

    /// The input of a promotion that was refused, and the reason.
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
    ///   - app: the release's app.
    ///   - links: the targets of the forms.
    ///   - typed: a promotion that was refused; nil for none.
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
