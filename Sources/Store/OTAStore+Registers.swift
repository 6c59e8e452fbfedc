import Bundles
import Identifiers
package import Releases

extension OTAStore {
    package func devices() throws(StoreFailure) -> DeviceRegister {
        try value(DeviceRegister.self, .devices) ?? DeviceRegister()
    }

    /// Changes the register of devices; `recording` is as in ``change(_:else:_:recording:)``.
    ///
    /// A device that the change erases is also erased from the previous generation.
    @discardableResult
    package func changeDevices(
        _ change: (inout DeviceRegister) throws -> Void,
        recording: () throws -> [Activity] = { [] },
    ) throws -> DeviceRegister {
        var before: Set<DeviceUDID> = []
        let result = try self.change(.devices, else: DeviceRegister()) { register in
            before = Set(register.devices.map(\.udid))
            try change(&register)
        } recording: {
            try recording()
        }
        if !before.isSubset(of: result.value.devices.map(\.udid)) {
            try backend.forgetPrevious(of: .devices)
        }
        return result.value
    }

    package func profiles() throws(StoreFailure) -> ProfileRegister {
        try value(ProfileRegister.self, .profiles) ?? ProfileRegister()
    }

    /// Changes the register of provisioning profiles; `recording` is as in ``change(_:else:_:recording:)``.
    @discardableResult
    package func changeProfiles(
        _ change: (inout ProfileRegister) throws -> Void,
        recording: () throws -> [Activity] = { [] },
    ) throws -> ProfileRegister {
        try self.change(.profiles, else: ProfileRegister(), change, recording: recording).value
    }
}

extension DocumentName {
    static let devices = DocumentName(known: "devices.json")
    static let profiles = DocumentName(known: "profiles.json")
}
