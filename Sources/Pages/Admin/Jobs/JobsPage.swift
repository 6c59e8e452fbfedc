package import Releases

/// The work that the server does by itself: what is open first, then what has ended.
package struct JobsPage: AdminPage {
    package let admin: AdminChrome
    let open: [JobLine]
    let ended: [JobLine]
    let hasOpen: Bool
    let hasEnded: Bool
    let homeURL: String

    /// - Parameters:
    ///   - open: jobs that wait or run, the newest first.
    ///   - ended: jobs that are over, the newest first.
    ///   - links: the addresses.
    ///   - admin: what surrounds the page.
    package init(open: [JobLine], ended: [JobLine], links: AdminLinks, admin: AdminChrome) {
        self.open = open
        self.ended = ended
        hasOpen = !open.isEmpty
        hasEnded = !ended.isEmpty
        homeURL = links.dashboard
        self.admin = admin
    }
}
