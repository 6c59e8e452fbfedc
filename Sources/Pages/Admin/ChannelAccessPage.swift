package import Identifiers
package import Releases

/// The form that changes who may see a channel.
package struct ChannelAccessPage: AdminPage {
    package let admin: AdminChrome
    let channel: String
    let title: String
    let appURL: String
    let actionURL: String
    let groups: String
    let problem: PageProblem?

    /// - Parameters:
    ///   - channel: the channel.
    ///   - app: the channel's app.
    ///   - typed: the groups that were refused; nil for the channel's current groups.
    ///   - problem: the reason for the refusal.
    ///   - links: builds paths of admin pages.
    ///   - admin: the page's header and navigation.
    package init(
        _ channel: ChannelName,
        of app: AppRecord,
        typed: String? = nil,
        problem: PageProblem? = nil,
        links: AdminLinks,
        admin: AdminChrome,
    ) {
        self.admin = admin
        self.channel = channel.rawValue
        title = app.title
        appURL = links.app(app.slug)
        actionURL = links.pages(of: app.slug).access(to: channel)
        groups = typed ?? app.channelGroups?[channel]?.description ?? ""
        self.problem = problem
    }
}
