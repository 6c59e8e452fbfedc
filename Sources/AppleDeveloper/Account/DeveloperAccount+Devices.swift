package import Identifiers

extension DeveloperAccount {
    /// Every device of the team, whatever its state.
    package func devices() async throws(AppleFailure) -> [AccountDevice] {
        try await list(.devices)
    }

    /// The device with an identifier; nil when the account does not have it.
    package func device(_ udid: DeviceUDID) async throws(AppleFailure) -> AccountDevice? {
        let found: [AccountDevice] = try await list(.devices(with: udid))
        return found.first { $0.udid == udid }
    }

    /// Registers a device, which takes a slot until the membership year after its removal ends.
    ///
    /// - Returns: the device; one that was there already as it was, under its name and in its state.
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

    /// Takes a device into use again, or out of use; a slot that it has stays taken.
    package func setEnabled(
        _ isEnabled: Bool,
        _ device: AccountDevice,
    ) async throws(AppleFailure) -> AccountDevice {
        try await value(.change(device.id, isEnabled: isEnabled))
    }

    package func rename(
        _ device: AccountDevice,
        to name: String,
    ) async throws(AppleFailure) -> AccountDevice {
        try await value(.change(device.id, name: name))
    }
}
