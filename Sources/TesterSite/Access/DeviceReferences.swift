import Access
import Bundles
import Identifiers
import Releases
import Synchronization

/// Which device a reference stands for.
///
/// A reference is made from an identifier and not the other way round, so each device's is made once
/// and remembered; it never changes.
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

    /// The device of the register with a reference; nil for one that is not there any more.
    func device(_ reference: String, in register: DeviceRegister) -> Device? {
        let udid: DeviceUDID? = known.withLock { known in
            if let udid = known.devices[reference] { return udid }
            // Erased devices are not remembered for ever.
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
