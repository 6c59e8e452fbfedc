package import Identifiers
package import Inspection
package import Releases
import Store

extension Administrator {
    /// The number of releases that are searched for those of the same channel.
    private static let lookBack = 60
    private static let most = 20

    /// Returns earlier releases that were on a channel with this one.
    ///
    /// - Returns: at most 20, newest first.
    /// - Throws: `StoreFailure`.
    package func earlierReleases(than release: Release) throws -> [Release] {
        let name = release.bundleIdentifier
        let all = try store.releaseIdentifiers(of: name)
        guard let place = all.firstIndex(of: release.identifier) else { return [] }
        let channels = Set([release.channel] + (release.otherChannels ?? []))
        let earlier = try store.releases(of: name, offset: place + 1, count: Self.lookBack)
            .filter { !channels.isDisjoint(with: [$0.channel] + ($0.otherChannels ?? [])) }
        return Array(earlier.prefix(Self.most))
    }

    /// Returns the register's names of the devices that profiles list.
    ///
    /// - Throws: `StoreFailure`.
    package func names(in reports: [InspectionReport]) throws -> [DeviceUDID: String] {
        let listed = Set(reports.flatMap { $0.profile?.devices ?? [] })
        var names: [DeviceUDID: String] = [:]
        for device in try store.devices().devices where listed.contains(device.udid) {
            names[device.udid] = device.name
        }
        return names
    }
}
