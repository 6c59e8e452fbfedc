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
    ///   - register: those that were approved count, and those that the developer account has.
    package init(of report: InspectionReport, for register: DeviceRegister) {
        let profiles = report.profiles.map(\.profile)
            .filter { $0.type.isLimitedToListedDevices && !($0.devices ?? []).isEmpty }
        let families = report.identity.families.compactMap(DeviceFamily.init(name:))
        devices = register.active.filter { device in
            guard device.state == .approved || device.state == .registered else { return false }
            guard let family = device.family.deviceFamily,
                families.isEmpty || family.runs(appsFor: families)
            else { return false }
            return profiles.contains { !($0.devices ?? []).contains(device.udid) }
        }
    }
}
