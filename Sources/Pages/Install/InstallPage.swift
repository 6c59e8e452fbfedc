package import Foundation
package import Identifiers
package import Inspection
package import Releases

/// The page from which a tester installs one build.
package struct InstallPage: Page {
    package let chrome: PageChrome
    /// What the team calls the app.
    let title: String
    /// What it is called on the home screen, and in what iOS asks.
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
    /// Whether the visitor's device can install nothing here.
    let isAndroid: Bool
    /// The device that the page is for.
    let named: Named?
    let install: Install?
    /// For a device that the server does not know.
    let choice: Choice?
    /// For a device on which the build does not install.
    let standing: DeviceStanding?
    let progress: DownloadProgress?
    let lastTry: LastTry?
    /// Whether there is anything to tap.
    let canTap: Bool
    /// The URL of live updates, and the state in a sentence, which is announced when it changes.
    let eventsURL: String?
    let news: String
    let warnings: [Notice]
    let desktop: Desktop?
    let notes: Notes?
    let steps: [String]
    let facts: [Fact]
    /// Where it came from, one sentence; nil where it is not signed.
    let origin: String?
    let historyURL: String?
    let latestURL: String?
    let startURL: String?
    /// Where a tester says what went wrong.
    let feedbackURL: String?
    /// The channels that the visitor may choose from; none where there is only one.
    let channels: [InstallChannel]
    let hasChannels: Bool

    /// - Parameters:
    ///   - build: what is shown, and how it was judged.
    ///   - links: the targets of the page's links.
    ///   - visitor: the kind of browser, which decides the hints.
    ///   - audience: the device that it is made for.
    ///   - date: the present, for expiry.
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

    /// One release, the channel it is shown for, and its report.
    package struct Build: Sendable {
        package let release: Release
        package let report: InspectionReport
        package let channel: ChannelName?
        /// What the team calls the app.
        package let title: String

        /// - Parameters:
        ///   - release: what is installed.
        ///   - report: what was found in it.
        ///   - channel: where it is offered; nil for a release by itself.
        ///   - title: the app's; nil for the name that the build has.
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
        /// What the findings come to, for testers; nil where there is none.
        let introduction: String?
        /// What testers understand without it.
        let plain: [Reason]
        let details: Details?

        /// What the team has to know, one reason for all findings with the same remedy.
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
        /// Whether it is a finding, which is for those who make builds.
        let isFinding: Bool
        /// Whether it is a finding, in English on a page of another language.
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
        /// What says that the message is in another language than the page.
        var introduction: String?
        let message: String
        /// Whether the message is a finding, in English on a page of another language.
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
        /// The moment that the value is about, for programs; nil for a value that is no date.
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
        ///   - visitor: nil results for every other one.
        ///   - key: of the sentence; with `.other` behind it, of that for an app without a name.
        ///   - words: the page's language.
        init?(_ visitor: Visitor, _ key: String, in words: Words) {
            guard case .inAppBrowser(let app) = visitor else { return nil }
            sentence =
                app.map { words.text(key, ["app": $0]) } ?? words.text(key + ".other")
        }
    }
}
