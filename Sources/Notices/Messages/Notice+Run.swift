import Foundation
import Releases
import Versions

extension Notice {
    /// The page of the CI job that built the release; nil for none, and for an address that a message of a chat
    /// could take for more than an address.
    var runLink: String? { release?.run.flatMap(Self.link) }

    /// An address of the web that a message of a chat takes for nothing else.
    fileprivate static func link(_ text: String) -> String? {
        guard text.hasPrefix("https://") || text.hasPrefix("http://"),
            text.utf8.allSatisfy(isPlain), URL(string: text)?.host()?.isEmpty == false
        else { return nil }
        return text
    }

    /// No brackets, quotation marks, bars or backslashes: they end a link in Slack or in Markdown.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: "-._~:/@%+,=".utf8.contains(byte)
        }
    }
}

extension Notice.Build {
    init(of release: Release, channel: String?) {
        self.init(
            version: NoticeWriter.plain(release.version),
            build: NoticeWriter.plain(release.build),
            channel: channel,
        )
        tag = release.tag.map(NoticeWriter.plain)
        commit = release.commit.map(NoticeWriter.plain)
        branch = (release.origin?.branch).map(NoticeWriter.plain)
        repository = (release.origin?.repository).map(NoticeWriter.plain)
        // Receivers make links of it.
        run = (release.origin?.run).flatMap { Notice.link($0) }
    }

    /// `Built from tag v1.2.0, branch main, commit 0123456789ab.`; nil where nothing is known.
    var source: String? {
        let parts = [
            tag.map { "tag \($0)" }, branch.map { "branch \($0)" },
            commit.map { "commit \($0.shortCommit)" },
        ].compactMap(\.self)
        return parts.isEmpty ? nil : "Built from \(parts.joined(separator: ", "))."
    }
}
