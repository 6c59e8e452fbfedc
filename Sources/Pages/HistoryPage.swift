package import Foundation
import Identifiers
package import Releases

/// All releases of one app, newest first, a page at a time.
package struct HistoryPage: Page {
    package let chrome: PageChrome
    let name: String
    let appURL: String
    let count: String
    /// How many are newer than the visitor's; nil if that is unknown, or none is.
    let newer: String?
    let releases: [Row]
    let newerURL: String?
    let olderURL: String?

    /// - Parameters:
    ///   - app: the app, whose channels define which releases are offered now.
    ///   - entries: the releases of the page.
    ///   - total: the number of releases on all pages.
    ///   - own: the release on the visitor's device; nil if unknown.
    ///   - navigation: links to other pages.
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

    /// The release on the visitor's device, as far as the server knows.
    package struct Own: Sendable {
        let release: ReleaseIdentifier
        let newer: Int

        /// - Parameters:
        ///   - release: the release that it downloaded last.
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

    /// The lines of notes shown of each release before the rest is collapsed.
    static let noteLines = 4

    struct Row: Sendable {
        let version: String
        let build: String
        let date: String
        let size: String
        /// `signed again on 3 March 2026`; nil for a release that was not re-signed.
        let signedAgain: String?
        let offeredOn: [String]
        /// The text for the release on the visitor's device; nil for others.
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
