import Bundles
import Foundation
import Inspection
import Releases

/// What a tester has to know before tapping Install, derived from a report.
struct InstallJudgement {
    let reasons: [InstallPage.Reason]
    let warnings: [InstallPage.Notice]
    let steps: [String]
    private let profile: ProfileSummary?

    init(
        of build: InstallPage.Build,
        for audience: InstallPage.Audience = .anyone,
        at date: Date,
        in words: Words,
    ) {
        let report = build.report
        let findings = report.findings(at: date).filter(\.blocksEveryDevice)
        profile = report.profile
        reasons =
            Self.withdrawal(of: build.release, in: words)
            + findings.map {
                InstallPage.Reason(
                    $0.message,
                    fix: $0.fix,
                    isFinding: true,
                    isEnglish: words.language != .english,
                )
            }
        warnings = Self.warnings(
            report,
            isForOneDevice: audience.tester != nil,
            at: date,
            in: words,
        )
        steps = Self.steps(report.profile, in: words)
    }

    /// Returns the line under the button.
    func sentence(for release: Release, at date: Date, in words: Words) -> String {
        let expiry = words.expiry(release.installsUntil, at: date)
        guard let profile, profile.type.isLimitedToListedDevices,
            let count = profile.devices?.count
        else { return expiry }
        return words.paragraph([words.text("install.listed", count: count), expiry])
    }

    private static func withdrawal(
        of release: Release,
        in words: Words,
    ) -> [InstallPage.Reason] {
        guard let withdrawal = release.withdrawal else { return [] }
        let day = words.day(withdrawal.date)
        let message =
            withdrawal.reason.isEmpty
            ? words.text("withdrawn.plain", ["date": day])
            : words.text("withdrawn.reason", ["date": day, "reason": withdrawal.reason])
        return [
            InstallPage.Reason(
                message,
                fix: words.text("withdrawn.fix"),
                isFinding: false,
                isEnglish: false,
            )
        ]
    }

    private static func warnings(
        _ report: InspectionReport,
        isForOneDevice: Bool,
        at date: Date,
        in words: Words,
    ) -> [InstallPage.Notice] {
        var notices: [InstallPage.Notice] = []
        if case .privateAuthority(let name)? = report.profile?.trust {
            notices.append(
                InstallPage.Notice(
                    tone: "warn",
                    title: words.text("private.title"),
                    message: words.text("private.message", ["authority": name]),
                )
            )
        }
        // For a known device, the page shows whether it is affected.
        if !isForOneDevice {
            notices += report.findings(at: date).compactMap { partial($0, in: words) }
        }
        if let until = report.installsUntil, until > date,
            Wording.days(from: date, to: until) <= 30
        {
            notices.append(
                InstallPage.Notice(
                    tone: "warn",
                    title: words.text(
                        "expires.title",
                        ["distance": words.distance(to: until, from: date)],
                    ),
                    message: words.text("expires.message", ["date": words.day(until)]),
                )
            )
        }
        return notices
    }

    /// Returns a notice for a finding that affects only some devices.
    private static func partial(
        _ finding: Finding,
        in words: Words,
    ) -> InstallPage.Notice? {
        let title: String
        if let version = finding.blocksFrom {
            title = words.text("partial.from", ["version": "\(version)"])
        } else if finding.severity == .blocks, finding.devices != nil {
            title = words.text("partial.devices")
        } else {
            return nil
        }
        let isEnglish = words.language != .english
        return InstallPage.Notice(
            tone: "bad",
            title: title,
            introduction: isEnglish ? words.text("blocked.english") : nil,
            message: "\(finding.message) \(finding.fix)",
            isEnglish: isEnglish,
        )
    }

    private static func steps(_ profile: ProfileSummary?, in words: Words) -> [String] {
        let before =
            switch profile?.type {
            case .enterprise: "tap.enterprise"
            case .development: "tap.development"
            case .adHoc, .appStore, nil: nil as String?
            }
        return ["tap.ask", "tap.home", before, "tap.open"].compactMap(\.self)
            .map { words.text($0) }
    }
}
