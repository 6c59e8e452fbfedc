package import Identifiers
package import Releases

/// The targets of the links of an ``InstallPage``; nil omits a link.
package struct InstallPageLinks: Sendable {
    package let page: String
    package let install: String
    package let icon: String
    /// The page's QR code as SVG.
    package let code: String?
    package let history: String?
    /// The page of the newest build, if an older one is shown.
    package let latest: String?
    package let start: String?
    /// The event stream that notifies an open page of changes.
    package let events: String?
    /// The page on which a tester reports a problem.
    package let feedback: String?
    /// The channels that the visitor can choose from, by name.
    package let channels: [InstallChannel]

    package init(
        page: String,
        install: String,
        icon: String,
        code: String? = nil,
        history: String? = nil,
        latest: String? = nil,
        start: String? = nil,
        events: String? = nil,
        feedback: String? = nil,
        channels: [InstallChannel] = [],
    ) {
        self.page = page
        self.install = install
        self.icon = icon
        self.code = code
        self.history = history
        self.latest = latest
        self.start = start
        self.events = events
        self.feedback = feedback
        self.channels = channels
    }
}

/// A channel that a tester can choose.
package struct InstallChannel: Sendable {
    let name: String
    /// The version that it offers.
    let version: String
    let url: String
    /// Whether its release is the one on the page.
    let isCurrent: Bool

    /// - Parameters:
    ///   - channel: the channel's name.
    ///   - release: the release that it offers.
    ///   - url: the path of its page.
    ///   - isCurrent: whether its page is the current one.
    package init(
        _ channel: ChannelName,
        offering release: Release,
        at url: String,
        isCurrent: Bool,
    ) {
        name = channel.rawValue
        version = release.version
        self.url = url
        self.isCurrent = isCurrent
    }
}
