package import Foundation
package import Inspection

/// `{"schema": 1, "app": …, "channels": […], "ended": […]}`, both lists by name.
package struct ChannelsDocument: Codable, Equatable, Sendable {
    /// A channel that has not ended.
    package struct Entry: Codable, Equatable, Sendable {
        package let channel: String
        /// The release that it offers.
        package let release: String
        /// Nil for a channel without an end.
        @OrNull package var ends: Date?
        /// Whether the app's page shows it without `?channel=`.
        package let isDefault: Bool
        /// The URL of its page; nil if the server's address is not set.
        @OrNull package var url: String?

        package init(channel: String, release: String, ends: Date?, isDefault: Bool, url: String?) {
            self.channel = channel
            self.release = release
            self.ends = ends
            self.isDefault = isDefault
            self.url = url
        }
    }

    /// A channel that has ended.
    package struct Ended: Codable, Equatable, Sendable {
        package let channel: String
        package let date: Date
        /// Who ended it.
        package let by: String

        package init(channel: String, date: Date, by: String) {
            self.channel = channel
            self.date = date
            self.by = by
        }
    }

    package var schema = 1
    package let app: String
    package let channels: [Entry]
    package let ended: [Ended]

    package init(app: String, channels: [Entry], ended: [Ended]) {
        self.app = app
        self.channels = channels
        self.ended = ended
    }
}

/// The result of ending a channel.
package struct EndedChannelDocument: Codable, Equatable, Sendable {
    package var schema = 1
    package let app, channel: String
    /// When the channel ended, now or earlier; nil if it never existed.
    @OrNull package var ended: Date?
    /// Whether this request ended it.
    package let changed: Bool
    /// The releases that can no longer be installed, because no other channel offers them.
    package let withdrawn: [String]

    package init(app: String, channel: String, ended: Date?, changed: Bool, withdrawn: [String]) {
        self.app = app
        self.channel = channel
        self.ended = ended
        self.changed = changed
        self.withdrawn = withdrawn
    }
}
