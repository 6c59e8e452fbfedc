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

    package init(for release: Release, of app: AppRecord, links: AdminReleaseLinks) {
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
