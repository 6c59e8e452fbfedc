package import Releases

/// The server's jobs: open ones first, then ended ones.
package struct JobsPage: AdminPage {
    package let admin: AdminChrome
    let open: [JobLine]
    let ended: [JobLine]
    let hasOpen: Bool
    let hasEnded: Bool
    let homeURL: String

    /// - Parameters:
    ///   - open: jobs that wait or run, newest first.
    ///   - ended: ended jobs, newest first.
    ///   - links: builds paths of admin pages.
    ///   - admin: the page's header and navigation.
    package init(open: [JobLine], ended: [JobLine], links: AdminLinks, admin: AdminChrome) {
        self.open = open
        self.ended = ended
        hasOpen = !open.isEmpty
        hasEnded = !ended.isEmpty
        homeURL = links.dashboard
        self.admin = admin
    }
}
