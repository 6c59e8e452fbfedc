package import Identifiers

extension DeveloperAccount {
    /// All devices of the team, in any state.
    package func devices() async throws(AppleFailure) -> [AccountDevice] {
        try await list(.devices)
    }

    /// The device with a UDID; nil when the account does not have it.
    package func device(_ udid: DeviceUDID) async throws(AppleFailure) -> AccountDevice? {
        let found: [AccountDevice] = try await list(.devices(with: udid))
        return found.first { $0.udid == udid }
    }

    /// Registers a device.
    ///
    /// It uses a slot, which becomes free only when the membership is renewed after the device was
    /// removed.
    ///
    /// - Returns: the device; an existing one with its present name and state.
    package func register(
        _ udid: DeviceUDID,
        name: String,
    ) async throws(AppleFailure) -> AccountDevice {
        if let known = try await device(udid) { return known }
        return try await create(.register(udid, name: name), naming: name) {
            () async throws(AppleFailure) in
            try await device(udid)
        }
    }

    /// Enables or disables a device; its slot stays used.
    package func setEnabled(
        _ isEnabled: Bool,
        _ device: AccountDevice,
    ) async throws(AppleFailure) -> AccountDevice {
        try await value(.change(device.id, isEnabled: isEnabled))
    }

    /// Renames a device.
    package func rename(
        _ device: AccountDevice,
        to name: String,
    ) async throws(AppleFailure) -> AccountDevice {
        try await value(.change(device.id, name: name))
    }
}
