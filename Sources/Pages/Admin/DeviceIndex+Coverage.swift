import Essentials
import Identifiers
import Releases

extension DeviceIndex {
    /// Which of the devices in use can install a build: indices in the register, by name.
    package struct Coverage: Sendable {
        package let able: [Int]
        package let blocked: [Int]

        package init(able: [Int], blocked: [Int]) {
            self.able = able
            self.blocked = blocked
        }

        package var total: Int { able.count + blocked.count }
        /// The indices of all devices, those that cannot install it first.
        package var places: [Int] { blocked + able }
    }

    /// - Parameter blocked: the indices of the devices that cannot install a build, among those in use.
    /// - Returns: the devices that can, and those that cannot.
    package func coverage(without blocked: some Sequence<Int32>) -> Coverage {
        var isBlocked = devices.map { _ in false }
        let places = registerPlaces
        for place in blocked { isBlocked[places[Int(place)]] = true }
        var coverage: (able: [Int], blocked: [Int]) = ([], [])
        for place in active {
            if isBlocked[place] {
                coverage.blocked.append(place)
            } else {
                coverage.able.append(place)
            }
        }
        return Coverage(able: coverage.able, blocked: coverage.blocked)
    }

    /// The register's indices of the devices in use, in the register's order.
    private var registerPlaces: [Int] {
        placesInUse {
            let places = Dictionary(devices.enumerated().map { ($1.udid, $0) }) { first, _ in first
            }
            return register.active.compactMap { places[$0.udid] }
        }
    }
}
