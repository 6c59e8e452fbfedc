import APIDocuments
import Access
import Administration
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

    /// The devices of the register, prepared for lists.
    func deviceIndex() throws -> DeviceIndex {
        services.deviceIndexes.index(of: try store.devices())
    }

    /// Which devices in use can install a release.
    func coverage(of release: Release) throws -> DeviceIndex.Coverage {
        let blocked = try store.verdicts(on: release, at: now).places(false)
        return try deviceIndex().coverage(without: blocked)
    }

    /// The devices at some places of the register, each with its verdict.
    func devices(
        at places: some Sequence<Int>,
        judgedBy report: InspectionReport,
    ) throws -> [JudgedDevice] {
        let devices = try deviceIndex().devices
        var judge = ReportJudge(report, at: now)
        return places.map { place in
            let device = devices[place]
            return JudgedDevice(
                device: device,
                judged: judge.verdict(for: device.facts),
                url: url(of: device),
            )
        }
    }

    /// The page of a device.
    func url(of device: Device) -> String {
        links.device(reference(to: device))
    }

    /// What names a device in addresses and actions.
    func reference(to device: Device) -> String { site.sessions.reference(to: device.udid) }

    /// The device that a reference stands for; nil for none.
    func known(_ reference: String) throws -> Device? {
        try administrator.devicesByReference()[reference]
    }

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
