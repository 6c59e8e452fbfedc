package import Foundation
import Identifiers
package import Releases

/// Every release of one app, the newest first, a page at a time.
package struct HistoryPage: Page {
    package let chrome: PageChrome
    let name: String
    let appURL: String
    let count: String
    /// How many are newer than the one on the device that asks; nil where that is not known, or none is.
    let newer: String?
    let releases: [Row]
    let newerURL: String?
    let olderURL: String?

    /// - Parameters:
    ///   - app: its channels say which releases are offered now.
    ///   - entries: the releases of the page.
    ///   - total: how many there are on all pages.
    ///   - own: the one on the device that asks; nil where that is not known.
    ///   - navigation: the pages around it.
    ///   - date: the current time.
    ///   - chrome: the page's header and footer.
    package init(
        app: AppRecord,
        entries: [Entry],
        total: Int,
        own: Own? = nil,
        navigation: Navigation,
        at date: Date,
        chrome: PageChrome,
    ) {
        self.chrome = chrome
        name = app.title
        appURL = navigation.app
        count = chrome.words.text("history.count", count: total)
        newer = own.flatMap {
            $0.newer > 0 ? chrome.words.text("history.newer-than-own", count: $0.newer) : nil
        }
        releases = entries.map { entry in
            Row(
                entry,
                channels: app.channels,
                isOwn: entry.release.identifier == own?.release,
                at: date,
                in: chrome.words,
            )
        }
        newerURL = navigation.newer
        olderURL = navigation.older
    }

    package struct Entry: Sendable {
        package let release: Release
        package let url: String

        package init(release: Release, url: String) {
            self.release = release
            self.url = url
        }
    }

    /// The release that the device has which asks, as far as the server knows.
    package struct Own: Sendable {
        let release: ReleaseIdentifier
        let newer: Int

        /// - Parameters:
        ///   - release: what it fetched last.
        ///   - newer: how many of the releases are newer.
        package init(_ release: ReleaseIdentifier, newer: Int) {
            self.release = release
            self.newer = newer
        }
    }

    package struct Navigation: Sendable {
        package let app: String
        package let newer: String?
        package let older: String?

        package init(app: String, newer: String?, older: String?) {
            self.app = app
            self.newer = newer
            self.older = older
        }
    }

    struct State: Sendable {
        let text: String
        let tone: String
    }

    /// Lines of notes that each release shows before the rest is folded away.
    static let noteLines = 4

    struct Row: Sendable {
        let version: String
        let build: String
        let date: String
        let size: String
        /// `signed again on 3 March 2026`; nil for one that is as it was published.
        let signedAgain: String?
        let offeredOn: [String]
        /// Said of the one on the device that asks; nil for every other one.
        let own: String?
        let state: State?
        let isWithdrawn: Bool
        let url: String?
        let notes: String?

        init(
            _ entry: Entry,
            channels: [ChannelName: ReleaseIdentifier],
            isOwn: Bool,
            at date: Date,
            in words: Words,
        ) {
            let release = entry.release
            version = release.version
            build = release.build
            self.date = words.day(release.published)
            size = words.size(release.size)
            signedAgain = release.lastSigning.map {
                words.text("history.signed-again", ["date": words.day($0.date)])
            }
            isWithdrawn = release.withdrawal != nil
            offeredOn = channels.filter { $0.value == release.identifier }.keys.sorted()
                .map(\.rawValue)
            own = isOwn ? words.text("history.own") : nil
            url = isWithdrawn ? nil : entry.url
            notes =
                release.notes.isEmpty
                ? nil
                : ReleaseNotes.section(
                    release.notes,
                    lines: HistoryPage.noteLines,
                    all: words.text("notes.all"),
                )
            state =
                if isWithdrawn {
                    State(text: words.text("history.withdrawn"), tone: "bad")
                } else if let until = release.installsUntil, until <= date {
                    State(text: words.text("history.expired"), tone: "bad")
                } else {
                    nil
                }
        }
    }
}
