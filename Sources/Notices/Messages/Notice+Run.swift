import Foundation
import Releases
import Versions

extension Notice {
    /// The page of the CI job that built the release; nil if there is none, or if a chat could read its URL
    /// as more than a URL.
    var runLink: String? { release?.run.flatMap(Self.link) }

    /// Returns a web URL that a chat cannot read as anything else.
    fileprivate static func link(_ text: String) -> String? {
        guard text.hasPrefix("https://") || text.hasPrefix("http://"),
            text.utf8.allSatisfy(isPlain), URL(string: text)?.host()?.isEmpty == false
        else { return nil }
        return text
    }

    /// Excludes brackets, quotation marks, bars and backslashes, which end a link in Slack or in Markdown.
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
        // Receivers turn it into a link.
        run = (release.origin?.run).flatMap { Notice.link($0) }
    }

    /// `Built from tag v1.2.0, branch main, commit 0123456789ab.`; nil if nothing is known.
    var source: String? {
        let parts = [
            tag.map { "tag \($0)" }, branch.map { "branch \($0)" },
            commit.map { "commit \($0.shortCommit)" },
        ].compactMap(\.self)
        return parts.isEmpty ? nil : "Built from \(parts.joined(separator: ", "))."
    }
}
