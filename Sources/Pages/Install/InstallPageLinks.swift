package import Identifiers
package import Releases

/// Where the links of an ``InstallPage`` lead; nil leaves a link out.
package struct InstallPageLinks: Sendable {
    package let page: String
    package let install: String
    package let icon: String
    /// The page's QR code as SVG.
    package let code: String?
    package let history: String?
    /// The page of the newest build, on the page of an older one.
    package let latest: String?
    package let start: String?
    /// Where a page that is open hears that something changed.
    package let events: String?
    /// Where a tester says what went wrong.
    package let feedback: String?
    /// The channels that the visitor may choose from, by name.
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
    /// Whether the page shows what it offers.
    let isCurrent: Bool

    /// - Parameters:
    ///   - channel: its name.
    ///   - release: the release that it offers.
    ///   - url: the path of its page.
    ///   - isCurrent: whether that is the page that is shown.
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
