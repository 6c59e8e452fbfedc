import Bundles
import Foundation
import Inspection
import Releases

/// What the page offers its audience: a button, a choice, or the reason why there is neither.
struct InstallOffer {
    var install: InstallPage.Install?
    var choice: InstallPage.Choice?
    var standing: DeviceStanding?
    fileprivate var isBlocked = false

    /// The state in one sentence, for screen readers.
    func news(of shown: InstallPage.Build, in words: Words) -> String {
        let app = "\(shown.title) \(shown.release.version) (\(shown.release.build))"
        if isBlocked { return words.text("news.blocked", ["app": app]) }
        if let standing {
            return words.text("news.standing", ["app": app, "news": standing.news(in: words)])
        }
        return words.text("news.ready", ["app": app])
    }
}

extension InstallJudgement {
    func offer(
        _ link: String,
        of build: InstallPage.Build,
        to audience: InstallPage.Audience,
        at date: Date,
        in words: Words,
    ) -> InstallOffer {
        var offer = InstallOffer()
        guard reasons.isEmpty else {
            offer.isBlocked = true
            return offer
        }
        switch audience {
        case .device(let tester):
            offer.standing = DeviceStanding(of: tester, build, link: link, at: date, in: words)
            guard offer.standing == nil else { return offer }
            let hasIt = tester.lastTry?.outcome == .downloaded
            offer.install = InstallPage.Install(
                link: link,
                label: words.text(hasIt ? "install.again" : "install.button"),
                sentence: words.paragraph([
                    words.text("install.made"),
                    words.expiry(build.release.installsUntil, at: date),
                ]),
            )
        case .unknownDevice(let enrolURL):
            guard let count = build.report.listedDevices else { fallthrough }
            offer.choice = InstallPage.Choice(
                link: link,
                enrolURL: enrolURL,
                sentence: words.text("choice.sentence", count: count),
                expiry: words.expiry(build.release.installsUntil, at: date),
            )
        case .anyone:
            offer.install = InstallPage.Install(
                link: link,
                label: words.text("install.button"),
                sentence: sentence(for: build.release, at: date, in: words),
            )
        }
        return offer
    }
}

extension InspectionReport {
    /// How many devices the app's profile lists; nil if it does not list devices.
    fileprivate var listedDevices: Int? {
        guard let profile, profile.type.isLimitedToListedDevices else { return nil }
        return profile.devices?.count
    }
}

extension InstallPage.Audience {
    var tester: InstallPage.TesterDevice? {
        if case .device(let tester) = self { tester } else { nil }
    }
}
