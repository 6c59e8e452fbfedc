package import Identifiers
import Releases

/// The device slots of a developer account: every device in the account, enabled or not, uses one of its
/// family until the membership is renewed.
package struct AccountSlots: Sendable, Equatable {
    package private(set) var used: [ProductFamily: Int]

    package init(_ devices: [AccountDevice]) {
        used = [:]
        for family in devices.compactMap(\.family) { used[family, default: 0] += 1 }
    }

    /// The number of devices of a family that can still be registered.
    package func left(_ family: ProductFamily) -> Int {
        max(0, DeviceRegister.slotLimit - used[family, default: 0])
    }

    /// Uses a slot.
    ///
    /// - Returns: whether one was free.
    mutating func take(_ family: ProductFamily) -> Bool {
        guard left(family) > 0 else { return false }
        used[family, default: 0] += 1
        return true
    }
}
