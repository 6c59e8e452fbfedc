package import Foundation
package import Releases

/// The list of apps, the one with the newest build first.
package struct StartPage: Page {
    package let chrome: PageChrome
    let subtitle: String?
    let apps: [Row]
    /// Nil if there are so few apps that they need no search.
    let search: Search?
    /// The text if a search finds nothing.
    let nothing: String?
    /// How many further apps only the search finds, in a sentence; nil for none.
    let more: String?
    /// Whether there are neither apps nor a search.
    let isEmpty: Bool
    let groupsURL: String?
    /// The name of the person who has signed in, in a sentence; nil for none.
    let signedIn: String?
    let signOutURL: String?

    /// - Parameters:
    ///   - apps: the apps that the visitor may see.
    ///   - text: the text that the visitor searches for in names; empty for all apps.
    ///   - searchURL: the target of the search form.
    ///   - groupsURL: the page of the visitor's groups; nil for a visitor in none.
    ///   - tester: the name of the person who has signed in, and the sign-out target; nil for none.
    ///   - date: the current time.
    ///   - chrome: the page's header and footer.
    package init(
        apps: [Entry],
        matching text: String = "",
        searchURL: String = "/",
        groupsURL: String? = nil,
        tester: (name: String, signOutURL: String)? = nil,
        at date: Date,
        chrome: PageChrome,
    ) {
        self.chrome = chrome
        signedIn = tester.map { chrome.words.text("signin.as", ["person": $0.name]) }
        signOutURL = tester?.signOutURL
        self.groupsURL = groupsURL
        isEmpty = apps.isEmpty
        subtitle = apps.isEmpty ? nil : chrome.words.text("start.subtitle")
        let wanted = text.split(separator: " ").map { FoldedText($0) }
        let found =
            wanted.isEmpty
            ? apps
            : apps.filter { entry in
                let title = FoldedText(entry.title)
                return wanted.allSatisfy(title.contains)
            }
        nothing =
            found.isEmpty && !apps.isEmpty
            ? chrome.words.text("start.search.nothing", ["text": text]) : nil
        search =
            apps.count > Self.fewApps || !wanted.isEmpty ? Search(url: searchURL, text: text) : nil
        let rest = found.count - Self.mostApps
        more = rest > 0 ? chrome.words.text("start.search.more", count: rest) : nil
        // Dates are sorted rather than releases, which are slower to move.
        self.apps = found.indices.map { (published: found[$0].release.published, place: $0) }
            .sorted { $0.published > $1.published }
            .prefix(Self.mostApps).map { Row(found[$0.place], at: date, in: chrome.words) }
    }

    /// The number of apps up to which there is no search.
    private static let fewApps = 8
    /// The most apps on the page: a phone shows ten of them at once.
    private static let mostApps = 50

    /// The form that searches the apps.
    struct Search: Sendable {
        let url: String
        let text: String
    }

    /// One app with the release that its page offers.
    package struct Entry: Sendable {
        package let title: String
        package let release: Release
        /// Created only for the apps on the page.
        let url, iconURL: @Sendable () -> String

        package init(
            title: String,
            release: Release,
            url: @escaping @Sendable @autoclosure () -> String,
            iconURL: @escaping @Sendable @autoclosure () -> String,
        ) {
            self.title = title
            self.release = release
            self.url = url
            self.iconURL = iconURL
        }
    }

    struct Row: Sendable {
        let name: String
        let detail: String
        let warning: String?
        let url: String
        let iconURL: String

        init(_ entry: Entry, at date: Date, in words: Words) {
            let release = entry.release
            name = entry.title
            detail = words.text(
                "start.detail",
                [
                    "version": release.version, "build": release.build,
                    "date": words.day(release.published),
                ],
            )
            warning = Self.warning(release.installsUntil, at: date, in: words)
            url = entry.url()
            iconURL = entry.iconURL()
        }

        private static func warning(
            _ until: Date?,
            at date: Date,
            in words: Words,
        ) -> String? {
            guard let until, Wording.days(from: date, to: until) <= 30 else { return nil }
            return words.text(
                until <= date ? "expired.title" : "expires.title",
                ["distance": words.distance(to: until, from: date)],
            )
        }
    }
}
