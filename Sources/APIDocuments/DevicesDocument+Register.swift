import Bundles
import Identifiers
package import Releases

extension DevicesDocument {
    /// The devices as a register, for computing verdicts from this document.
    package var register: DeviceRegister {
        DeviceRegister(
            devices.map { entry in
                Device(
                    udid: entry.udid,
                    name: entry.name,
                    family: entry.family,
                    model: entry.model,
                    os: entry.os.flatMap { OSVersion($0) },
                    state: entry.state,
                    added: entry.added,
                )
            }
        )
    }
}
