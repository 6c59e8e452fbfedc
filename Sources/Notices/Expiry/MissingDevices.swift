import Bundles
import Identifiers
package import Inspection
package import Releases

/// The team's devices that a build does not list and would otherwise run on: it has to be made anew
/// with a profile that lists them.
package struct MissingDevices: Sendable, Equatable {
    /// By name.
    package let devices: [Device]

    /// - Parameters:
    ///   - report: of the build.
    ///   - wanted: the devices that count, by name, as ``wanted(in:)`` has them; found once for many
    ///     builds.
    package init(of report: InspectionReport, among wanted: [Device]) {
        let lists = report.profiles.map(\.profile)
            .filter { $0.type.isLimitedToListedDevices && !($0.devices ?? []).isEmpty }
            .map { Set($0.devices ?? []) }
        guard !lists.isEmpty else {
            devices = []
            return
        }
        let families = report.identity.families.compactMap(DeviceFamily.init(name:))
        devices = wanted.filter { device in
            guard let family = device.family.deviceFamily,
                families.isEmpty || family.runs(appsFor: families)
            else { return false }
            return lists.contains { !$0.contains(device.udid) }
        }
    }

    /// The devices that builds should reach, by name.
    package static func wanted(in register: DeviceRegister) -> [Device] {
        register.active.filter { $0.state == .approved || $0.state == .registered }
    }
}
