import Cryptography
import Identifiers
import Inspection
import Pages
import Releases
import Store

extension AdminRelease {
    /// The most signings that are evaluated, newest first.
    private static let judgedSignings = 10

    /// Returns which devices the release reaches as published, and after each of its latest signings.
    func reach(for visit: AdminRequest) throws -> [SHA256Digest: SigningReach] {
        guard let signings = release.signings, !signings.isEmpty else { return [:] }
        var names: [DeviceUDID: String] = [:]
        if visit.isAdmin {
            for device in try visit.store.devices().active { names[device.udid] = device.name }
        }
        var reach: [SHA256Digest: SigningReach] = [:]
        let places = [0] + (max(1, signings.count - Self.judgedSignings + 1)...signings.count)
        var before: (place: Int, devices: Set<DeviceUDID>)?
        for place in places {
            var earlier = release
            earlier.signings = Array(signings.prefix(place))
            // A damaged report must not make the page fail.
            guard
                let report = try visit.store.unlessDamaged({ try visit.store.report(of: earlier) })
            else { continue }
            let listed = report.profile?.devices
            let devices = Set(listed ?? [])
            let isNext = before?.place == place - 1
            let known = isNext ? before?.devices : nil
            reach[earlier.sha256] = SigningReach(
                profile: report.profile?.name,
                expires: report.profile?.expires,
                count: listed?.count,
                names: visit.isAdmin
                    ? listed.map { $0.compactMap { names[$0] }.sorted() } : nil,
                change: known.map {
                    (gained: devices.subtracting($0).count, lost: $0.subtracting(devices).count)
                },
            )
            before = (place, devices)
        }
        return reach
    }
}
