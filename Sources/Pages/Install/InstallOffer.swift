import Bundles
import Foundation
import Inspection
import Releases

/// What the page offers to whom: a button, a choice, or the reason why there is neither.
struct InstallOffer {
    var install: InstallPage.Install?
    var choice: InstallPage.Choice?
    var standing: DeviceStanding?
    fileprivate var isBlocked = false

    /// The state in one sentence, for screen readers.
    func news(of shown: InstallPage.Build) -> String {
        let build = "\(shown.title) \(shown.release.version) (\(shown.release.build))"
        if isBlocked { return "\(build) cannot be installed." }
        if let standing { return "\(build): \(standing.news)" }
        return "\(build) is ready to install."
    }
}

extension InstallJudgement {
    func offer(
        _ link: String,
        of build: InstallPage.Build,
        to audience: InstallPage.Audience,
        at date: Date,
    ) -> InstallOffer {
        var offer = InstallOffer()
        guard reasons.isEmpty else {
            offer.isBlocked = true
            return offer
        }
        switch audience {
        case .device(let tester):
            offer.standing = DeviceStanding(of: tester, build, link: link, at: date)
            guard offer.standing == nil else { return offer }
            let hasIt = tester.lastTry?.outcome == .installed
            offer.install = InstallPage.Install(
                link: link,
                label: hasIt ? "Install again" : "Install",
                sentence: "Made for this device. "
                    + Wording.expiry(build.release.installsUntil, at: date),
            )
        case .unknownDevice(let enrolURL):
            guard let count = build.report.listedDevices else { fallthrough }
            offer.choice = InstallPage.Choice(
                link: link,
                enrolURL: enrolURL,
                sentence: "This build installs only on the \(Wording.count(count, "device")) that "
                    + "it includes, and this server does not recognise yours yet.",
                expiry: Wording.expiry(build.release.installsUntil, at: date),
            )
        case .anyone:
            offer.install = InstallPage.Install(
                link: link,
                label: "Install",
                sentence: sentence(for: build.release, at: date),
            )
        }
        return offer
    }
}

extension InspectionReport {
    /// How many devices the app's profile lists; nil where it is not for listed devices only.
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
