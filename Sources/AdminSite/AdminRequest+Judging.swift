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
    /// The age in seconds up to which installs are shown.
    static let installMemory: TimeInterval = 90 * 86_400
    /// The most installs that a page lists.
    static let installCount = 50

    /// Returns the register's devices, prepared for lists.
    func deviceIndex() throws -> DeviceIndex {
        services.deviceIndexes.index(of: try store.devices())
    }

    /// Returns which devices in use can install a release.
    func coverage(of release: Release) throws -> DeviceIndex.Coverage {
        let blocked = try store.verdicts(on: release, at: now).places(false)
        return try deviceIndex().coverage(without: blocked)
    }

    /// Returns the devices at some indices of the register, each with its verdict.
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

    /// Returns the path of a device's page.
    func url(of device: Device) -> String {
        links.device(reference(to: device))
    }

    /// Returns the reference that identifies a device in paths and actions.
    func reference(to device: Device) -> String { site.sessions.reference(to: device.udid) }

    /// Returns the device of a reference; nil for none.
    func known(_ reference: String) throws -> Device? {
        try administrator.devicesByReference()[reference]
    }

    /// Returns the recent install attempts that `belongs` selects, newest first.
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
