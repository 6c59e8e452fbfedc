import Bundles
import Foundation
import Inspection
import Releases

/// What a tester has to know before the tap, out of a report.
struct InstallJudgement {
    let reasons: [InstallPage.Reason]
    let warnings: [InstallPage.Notice]
    let steps: [String]
    private let profile: ProfileSummary?

    init(
        of build: InstallPage.Build,
        for audience: InstallPage.Audience = .anyone,
        at date: Date,
    ) {
        let report = build.report
        let findings = report.findings(at: date).filter(\.blocksEveryDevice)
        profile = report.profile
        reasons =
            Self.withdrawal(of: build.release)
            + findings.map { InstallPage.Reason(message: $0.message, fix: $0.fix) }
        warnings = Self.warnings(report, isForOneDevice: audience.tester != nil, at: date)
        steps = Self.steps(report.profile)
    }

    /// The line under the button.
    func sentence(for release: Release, at date: Date) -> String {
        guard let profile else { return Wording.expiry(release.installsUntil, at: date) }
        let who =
            switch profile.devices?.count {
            case .some(let count) where profile.type.isLimitedToListedDevices:
                "For the \(Wording.count(count, "device")) listed in this build. "
            default:
                ""
            }
        return who + Wording.expiry(release.installsUntil, at: date)
    }

    private static func withdrawal(of release: Release) -> [InstallPage.Reason] {
        guard let withdrawal = release.withdrawal else { return [] }
        let day = Wording.day(withdrawal.date)
        let why = withdrawal.reason.isEmpty ? "." : ": \(withdrawal.reason)"
        return [
            InstallPage.Reason(
                message: "The team withdrew this version on \(day)\(why)",
                fix: "Install another version.",
            )
        ]
    }

    private static func warnings(
        _ report: InspectionReport,
        isForOneDevice: Bool,
        at date: Date,
    ) -> [InstallPage.Notice] {
        var notices: [InstallPage.Notice] = []
        if case .privateAuthority(let name)? = report.profile?.trust {
            notices.append(
                InstallPage.Notice(
                    tone: "warn",
                    title: "A real phone refuses this build",
                    message: "It is signed by \(name), a private test authority. iOS installs "
                        + "only builds whose certificates Apple issued.",
                )
            )
        }
        // For a device that is known, the page says which side it is on.
        if !isForOneDevice { notices += report.findings(at: date).compactMap(partial) }
        if let until = report.installsUntil, until > date,
            Wording.days(from: date, to: until) <= 30
        {
            notices.append(
                InstallPage.Notice(
                    tone: "warn",
                    title: "Expires \(Wording.distance(to: until, from: date))",
                    message: "After \(Wording.day(until)) this build neither installs nor opens. "
                        + "The team has to publish a new one before then.",
                )
            )
        }
        return notices
    }

    /// What some devices refuse and others do not.
    private static func partial(_ finding: Finding) -> InstallPage.Notice? {
        let title: String
        if let version = finding.blocksFrom {
            title = "iOS \(version) and later refuse this build"
        } else if finding.severity == .blocks, finding.devices != nil {
            title = "Not every listed device can install this build"
        } else {
            return nil
        }
        return InstallPage.Notice(
            tone: "bad",
            title: title,
            message: "\(finding.message) \(finding.fix)",
        )
    }

    private static func steps(_ profile: ProfileSummary?) -> [String] {
        var steps = [
            "iOS asks whether to install the app. Tap Install.",
            "Go to the home screen: the icon fills while the app downloads.",
        ]
        switch profile?.type {
        case .enterprise:
            steps.append(
                "Before you first open the app, connect to the internet, go to Settings › General "
                    + "› VPN & Device Management, tap the team’s name and trust it. iOS 18 and "
                    + "later restart the device to finish."
            )
        case .development:
            steps.append(
                "On iOS 16 and later, turn on Settings › Privacy & Security › Developer Mode and "
                    + "restart. The app does not open without it."
            )
        case .adHoc, .appStore, nil:
            break
        }
        steps.append(
            "Open the app. If its icon disappears instead, send your team the message that iOS "
                + "showed."
        )
        return steps
    }
}
