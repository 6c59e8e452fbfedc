package import AppleDeveloper
package import Essentials
import Identifiers
package import Releases

extension AccountSnapshot {
    /// - Parameters:
    ///   - account: every device of the account.
    ///   - devices: the team's devices in the register.
    ///   - date: when the account was read.
    package init(_ account: [AccountDevice], knownAs devices: [Device], at date: Date) {
        let here = Set(devices.map(\.udid))
        let known = account.compactMap { device in
            device.udid.flatMap { udid in
                here.contains(udid)
                    ? KnownDevice(udid: udid, status: DeviceStatus(device.status)) : nil
            }
        }
        self.init(
            date: date,
            slots: AccountSlots(account).used.map { UsedSlots(family: $0.key, used: $0.value) }
                .sorted { $0.family.rawValue < $1.family.rawValue },
            devices: known.sorted { $0.udid < $1.udid },
            unknownCount: account.count - known.count,
        )
    }
}

extension AccountSnapshot.DeviceStatus {
    fileprivate init(_ status: AccountDevice.Status) {
        self =
            switch status {
            case .enabled: .enabled
            case .disabled: .disabled
            case .processing: .processing
            case .ineligible: .ineligible
            case .other: .other
            }
    }
}
