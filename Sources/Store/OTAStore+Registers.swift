import Bundles
import Identifiers
package import Releases

extension OTAStore {
    package func devices() throws(StoreFailure) -> DeviceRegister {
        try value(DeviceRegister.self, .devices) ?? DeviceRegister()
    }

    /// Changes the register of devices.
    ///
    /// A device that is erased by the change is erased from the previous generation too.
    @discardableResult
    package func changeDevices(
        _ change: (inout DeviceRegister) throws -> Void
    ) throws -> DeviceRegister {
        var before: Set<DeviceUDID> = []
        let result = try self.change(.devices, else: DeviceRegister()) { register in
            before = Set(register.devices.map(\.udid))
            try change(&register)
        }
        if !before.isSubset(of: result.value.devices.map(\.udid)) {
            try backend.forgetPrevious(of: .devices)
        }
        return result.value
    }

    package func profiles() throws(StoreFailure) -> ProfileRegister {
        try value(ProfileRegister.self, .profiles) ?? ProfileRegister()
    }

    /// Changes the register of provisioning profiles.
    @discardableResult
    package func changeProfiles(
        _ change: (inout ProfileRegister) throws -> Void
    ) throws -> ProfileRegister {
        try self.change(.profiles, else: ProfileRegister(), change).value
    }
}

extension DocumentName {
    static let devices = DocumentName(known: "devices.json")
    static let profiles = DocumentName(known: "profiles.json")
}
