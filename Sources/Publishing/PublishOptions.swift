package import Essentials
package import Identifiers
package import Releases
import Versions

/// A publisher's information about a build, beyond its bytes.
package struct PublishOptions: Sendable {
    /// The channel that offers the release.
    package var channel: ChannelName = .stable
    /// How long the channel lasts from now on; nil leaves its end unchanged.
    package var channelLife: ChannelLife?
    /// Release notes in Markdown; at most ``notesLimit`` bytes of UTF-8.
    package var notes = ""
    /// The git tag from which it was built; if it names a version, the build must have that version.
    ///
    /// `dev`, the name of builds without a tag, counts as none.
    package var tag: String? {
        didSet { if tag == VersionFacts.development { tag = nil } }
    }
    package var commit: String?
    /// The origin of the build: its builder and its source.
    package var origin: BuildOrigin?
    /// Whether this server built it, so that the origin is not just reported by a client.
    package var isBuiltHere = false
    /// Whether this server signed it, because it was unsigned.
    package var isSignedHere = false
    /// The version that the build must have, if it is known more precisely than from the tag's name.
    package var expected: ExpectedVersion?
    /// Whether the build's version may differ from its tag's.
    package var allowsOtherVersion = false
    /// Whether the build may replace a release of the same version and build number with other bytes.
    package var replace = false
    /// Whether everything but storing is done.
    package var isDryRun = false
    /// The publisher: a token's name, or the user of the command line.
    package let publisher: String
    /// The current time.
    package let date: Date

    /// In bytes.
    package static let notesLimit = 64 << 10

    package init(publisher: String, date: Date) {
        self.publisher = publisher
        // Documents have whole seconds.
        self.date = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
    }
}
