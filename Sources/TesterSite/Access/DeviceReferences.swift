import Access
import Bundles
import Identifiers
import Releases
import Synchronization

/// Finds the device that a reference stands for.
///
/// A reference is derived from the device's identifier and cannot be reversed, so each device's reference
/// is computed once and cached; it never changes.
final class DeviceReferences: Sendable {
    private struct Known {
        var devices: [String: DeviceUDID] = [:]
        var seen: Set<DeviceUDID> = []
    }

    private let sessions: SessionAuthority
    private let known = Mutex(Known())

    init(sessions: SessionAuthority) {
        self.sessions = sessions
    }

    /// Returns the device of the register with a reference; nil if it was erased.
    func device(_ reference: String, in register: DeviceRegister) -> Device? {
        let udid: DeviceUDID? = known.withLock { known in
            if let udid = known.devices[reference] { return udid }
            // Drops erased devices from the cache from time to time.
            if known.seen.count > 2 * register.devices.count + 64 { known = Known() }
            for device in register.devices where !known.seen.contains(device.udid) {
                known.seen.insert(device.udid)
                known.devices[sessions.reference(to: device.udid)] = device.udid
            }
            return known.devices[reference]
        }
        return udid.flatMap { register[$0] }
    }
}
