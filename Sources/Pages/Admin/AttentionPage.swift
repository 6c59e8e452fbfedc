package import Releases

/// Everything of one kind that needs attention, a page at a time.
package struct AttentionPage: AdminPage {
    /// Rows per page.
    package static let length = 50

    package let admin: AdminChrome
    let card: AttentionCard
    let turn: PageTurn?
    let homeURL: String

    /// - Parameters:
    ///   - card: the rows of this page.
    ///   - turn: links to the other pages.
    ///   - links: builds paths of admin pages.
    ///   - admin: the page's header and navigation.
    package init(
        _ card: AttentionCard,
        turn: PageTurn?,
        links: AdminLinks,
        admin: AdminChrome,
    ) {
        self.card = card
        self.turn = turn
        homeURL = links.dashboard
        self.admin = admin
    }
}
