import Access
import Foundation
import Inspection
import Pages
import Releases
import SiteServices
import Store

extension AdminRequest {
    /// How far back installs are shown, in seconds.
    static let installMemory: TimeInterval = 90 * 86_400
    /// How many installs a page lists.
    static let installCount = 50

    /// Every device in use with its verdict, those that cannot install the build first.
    func devices(judgedBy report: InspectionReport) throws -> [JudgedDevice] {
        var judge = ReportJudge(report, at: now)
        let all = try store.devices().active.map { device in
            JudgedDevice(
                device: device,
                judged: judge.verdict(for: device.facts),
                url: url(of: device),
            )
        }
        return all.filter { !$0.canInstall } + all.filter(\.canInstall)
    }

    /// The page of a device.
    func url(of device: Device) -> String {
        links.device(reference(to: device))
    }

    /// What names a device in addresses and actions.
    func reference(to device: Device) -> String { site.sessions.reference(to: device.udid) }

    /// What phones fetched of late of the attempts that `belongs` picks, the newest first.
    func attempts(
        of app: AppRecord?,
        where belongs: (InstallAttempt) -> Bool,
    ) throws -> [InstallAttempt] {
        try store.installAttempts(
            of: app?.bundleIdentifier,
            since: now.addingTimeInterval(-Self.installMemory),
        )
        .filter(belongs).reversed()
    }
}
