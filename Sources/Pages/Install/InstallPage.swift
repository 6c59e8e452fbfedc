package import Foundation
package import Identifiers
package import Inspection
package import Releases

/// The page from which a tester installs one build.
package struct InstallPage: Page {
    package let chrome: PageChrome
    /// The app's title, as the team sets it.
    let title: String
    /// The app's name on the Home Screen and in iOS's dialogs.
    let name: String
    let version: String
    let build: String
    let size: String
    let channel: String?
    let isOlder: Bool
    let iconURL: String
    let pageURL: String
    let blocked: Blocked?
    let inAppBrowser: InAppBrowser?
    /// Whether the visitor's device is an Android device, on which nothing can be installed.
    let isAndroid: Bool
    /// The device that the page is rendered for.
    let named: Named?
    let install: Install?
    /// For a device that the server does not know.
    let choice: Choice?
    /// For a device on which the build does not install.
    let standing: DeviceStanding?
    let progress: DownloadProgress?
    let lastTry: LastTry?
    /// Whether the page has a button to tap.
    let canTap: Bool
    /// The event stream, and the state in a sentence, which is announced when it changes.
    let eventsURL: String?
    let news: String
    let warnings: [Notice]
    let desktop: Desktop?
    let notes: Notes?
    let steps: [String]
    let facts: [Fact]
    /// The release's origin, as a sentence; nil if there is no signed statement.
    let origin: String?
    let historyURL: String?
    let latestURL: String?
    let startURL: String?
    /// The page on which a tester reports a problem.
    let feedbackURL: String?
    /// The channels that the visitor can choose from; none if there is only one.
    let channels: [InstallChannel]
    let hasChannels: Bool

    /// - Parameters:
    ///   - build: the build, with its report.
    ///   - links: the targets of the page's links.
    ///   - visitor: the kind of browser, which decides the hints.
    ///   - audience: the device that the page is rendered for.
    ///   - date: the current time, for expiry.
    ///   - chrome: the page's header and footer.
    package init(
        build: Build,
        links: InstallPageLinks,
        visitor: Visitor,
        for audience: Audience = .anyone,
        at date: Date,
        chrome: PageChrome,
    ) {
        let release = build.release
        let words = chrome.words
        let judged = InstallJudgement(of: build, for: audience, at: date, in: words)
        let offer = judged.offer(links.install, of: build, to: audience, at: date, in: words)
        self.chrome = chrome
        title = build.title
        name = release.name
        version = release.version
        self.build = release.build
        size = words.size(release.size)
        channel = build.channel?.rawValue
        isOlder = links.latest != nil
        iconURL = links.icon
        pageURL = links.page
        blocked =
            judged.reasons.isEmpty
            ? nil : Blocked(judged.reasons, build.report, at: date, in: words)
        inAppBrowser = InAppBrowser(visitor, "browser.install", in: words)
        isAndroid = visitor == .android
        install = isAndroid ? nil : offer.install
        choice = isAndroid ? nil : offer.choice
        standing = offer.standing
        canTap = install != nil || choice != nil
        let tester = audience.tester
        named = tester.map { Named($0.device) }
        progress = tester?.fetched.map {
            DownloadProgress(fetched: $0, of: release.size, in: words)
        }
        lastTry =
            canTap && progress == nil
            ? tester?.lastTry.map {
                LastTry($0, size: release.size, helpURL: chrome.helpURL, at: date, in: words)
            } : nil
        eventsURL = links.events
        news = offer.news(of: build, in: words)
        warnings = judged.warnings
        desktop = visitor.wantsCode ? links.code.map { Desktop(qr: $0, pageURL: links.page) } : nil
        notes =
            release.notes.isEmpty
            ? nil
            : Notes(html: ReleaseNotes.section(release.notes, all: words.text("notes.all")))
        steps = judged.steps
        facts = BuildFacts.facts(of: build, at: date, in: words)
        origin =
            build.release.provenance == nil
            ? nil : words.sentence(OriginSentence(of: build.release).text(in: words))
        historyURL = links.history
        latestURL = links.latest
        startURL = links.start
        feedbackURL = links.feedback
        channels = links.channels.count > 1 ? links.channels : []
        hasChannels = !channels.isEmpty
    }

    /// One release, the channel on whose page it is shown, and its report.
    package struct Build: Sendable {
        package let release: Release
        package let report: InspectionReport
        package let channel: ChannelName?
        /// The app's title, as the team sets it.
        package let title: String

        /// - Parameters:
        ///   - release: the release.
        ///   - report: its inspection report.
        ///   - channel: the channel that offers it; nil for a release's own page.
        ///   - title: the app's title; nil for the name in the build.
        package init(
            release: Release,
            report: InspectionReport,
            channel: ChannelName?,
            title: String? = nil,
        ) {
            self.release = release
            self.report = report
            self.channel = channel
            self.title = title ?? release.name
        }
    }

    struct Install: Sendable {
        let link: String
        let label: String
        let sentence: String
    }

    struct Choice: Sendable {
        let link: String
        let enrolURL: String
        let sentence: String
        let expiry: String
    }

    struct Blocked: Sendable {
        let title: String
        /// A summary of the findings for testers; nil if there are none.
        let introduction: String?
        /// Reasons that testers understand without the details.
        let plain: [Reason]
        let details: Details?

        /// The details for the team, one reason for all findings with the same fix.
        struct Details: Sendable {
            let title: String
            let reasons: [Reason]
        }

        fileprivate init(
            _ reasons: [Reason],
            _ report: InspectionReport,
            at date: Date,
            in words: Words,
        ) {
            title = words.text("install.blocked")
            plain = reasons.filter { !$0.isFinding }
            var findings: [Reason] = []
            for reason in reasons where reason.isFinding {
                if let place = findings.firstIndex(where: { $0.fix == reason.fix }) {
                    findings[place].messages += reason.messages
                } else {
                    findings.append(reason)
                }
            }
            guard !findings.isEmpty else {
                introduction = nil
                details = nil
                return
            }
            let expired = report.installsUntil.flatMap {
                $0 <= date ? words.expiry($0, at: date) : nil
            }
            introduction = words.paragraph(
                [expired, words.text("blocked.intro")].compactMap(\.self)
            )
            details = Details(title: words.text("blocked.details"), reasons: findings)
        }
    }

    struct Reason: Sendable {
        var messages: [String]
        let fix: String
        /// Whether it is a finding, which is meant for developers.
        let isFinding: Bool
        /// Whether it is a finding, which is in English even on a page in another language.
        let isEnglish: Bool

        init(_ message: String, fix: String, isFinding: Bool, isEnglish: Bool) {
            messages = [message]
            self.fix = fix
            self.isFinding = isFinding
            self.isEnglish = isEnglish
        }
    }

    struct Notice: Sendable {
        let tone: String
        let title: String
        /// An introduction if the message is in another language than the page.
        var introduction: String?
        let message: String
        /// Whether the message is a finding, which is in English even on a page in another language.
        var isEnglish = false
    }

    struct Desktop: Sendable {
        let qr: String
        let pageURL: String
    }

    struct Notes: Sendable {
        let html: String
    }

    struct Fact: Sendable {
        let label: String
        let value: String
        let tone: String?
        /// The time of the value, machine-readable; nil for a value that is not a date.
        let stamp: String?

        init(_ label: String, _ value: String, tone: String? = nil, at date: Date? = nil) {
            self.label = label
            self.value = value
            self.tone = tone
            stamp = date?.formatted(.iso8601)
        }
    }

    struct InAppBrowser: Sendable {
        let sentence: String

        /// - Parameters:
        ///   - visitor: nil results for visitors other than `inAppBrowser`.
        ///   - key: the catalogue key of the sentence; `.other` is appended for an app without a name.
        ///   - words: the page's language.
        init?(_ visitor: Visitor, _ key: String, in words: Words) {
            guard case .inAppBrowser(let app) = visitor else { return nil }
            sentence =
                app.map { words.text(key, ["app": $0]) } ?? words.text(key + ".other")
        }
    }
}
