import Bundles
import Identifiers
import Inspection
package import Releases

/// The team's devices that a build's profiles do not list and that could otherwise run it.
///
/// To run there, the build has to be made again with a profile that lists them.
package struct MissingDevices: Sendable {
    package let count: Int
    private let candidates: Candidates
    /// Indices of the devices that every device list in the build contains; empty if the build has no
    /// lists.
    let listed: Set<Int>

    init(of report: InspectionReport, among candidates: Candidates) {
        self.candidates = candidates
        var lists = report.profiles.map(\.profile)
            .filter { $0.type.isLimitedToListedDevices }
            .compactMap(\.devices).filter { !$0.isEmpty }
            .sorted { $0.count < $1.count }
        guard !lists.isEmpty else {
            listed = []
            count = 0
            return
        }
        var listed = Set(lists.removeFirst().compactMap(candidates.place))
        for list in lists { listed.formIntersection(list.compactMap(candidates.place)) }
        self.listed = listed
        count = candidates.devices.count - listed.count
    }

    package var isEmpty: Bool { count == 0 }

    /// The first of the devices by name; the remaining ones are not collected.
    package func first(_ most: Int) -> [Device] {
        guard count > 0 else { return [] }
        var found: [Device] = []
        for place in candidates.devices.indices where !listed.contains(place) {
            guard found.count < most else { break }
            found.append(candidates.devices[place])
        }
        return found
    }

    /// A fingerprint of the set of devices, from which no identifier can be derived.
    package var fingerprint: String {
        guard count > 0 else { return DeviceSum().text }
        let (whole, each) = candidates.sums
        return listed.reduce(into: whole) { $0.subtract(each[$1]) }.text
    }
}
