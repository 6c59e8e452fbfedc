package import Essentials
package import Identifiers
package import Releases
import Versions

/// What a publisher says about a build beyond its bytes.
package struct PublishOptions: Sendable {
    /// Where the release is offered.
    package var channel: ChannelName = .stable
    /// How long the channel stays from now on; nil leaves its end as it is.
    package var channelLife: ChannelLife?
    /// Release notes, Markdown; at most ``notesLimit`` bytes of UTF-8.
    package var notes = ""
    /// The git tag that it was built from; where it names a version, the build must state that.
    ///
    /// `dev`, as builds without one are called, is none.
    package var tag: String? {
        didSet { if tag == VersionFacts.development { tag = nil } }
    }
    package var commit: String?
    /// Who built it, of what.
    package var origin: BuildOrigin?
    /// Whether this server built it itself, and did not only hear of the origin.
    package var isBuiltHere = false
    /// Whether this server signed it, because it was unsigned.
    package var isSignedHere = false
    /// What the build must state, where that is known better than from the tag's name alone.
    package var expected: ExpectedVersion?
    /// Whether the build may state another version than its tag's.
    package var allowsOtherVersion = false
    /// Whether other bytes may take the place of the same version and build.
    package var replace = false
    /// Whether everything is done but storing.
    package var isDryRun = false
    /// Who publishes: a token's name, or the user of the command line.
    package let publisher: String
    /// Now.
    package let date: Date

    /// Bytes.
    package static let notesLimit = 64 << 10

    package init(publisher: String, date: Date) {
        self.publisher = publisher
        // Documents keep whole seconds.
        self.date = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
    }
}
