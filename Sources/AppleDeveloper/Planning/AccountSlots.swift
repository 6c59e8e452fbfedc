package import Identifiers
import Releases

/// The slots of a developer account as its own list shows them: whatever is on it, in use or not, takes
/// one of its family until the membership is renewed.
package struct AccountSlots: Sendable, Equatable {
    package private(set) var used: [ProductFamily: Int]

    package init(_ devices: [AccountDevice]) {
        used = [:]
        for family in devices.compactMap(\.family) { used[family, default: 0] += 1 }
    }

    /// How many devices of a family the account still takes.
    package func left(_ family: ProductFamily) -> Int {
        max(0, DeviceRegister.slotLimit - used[family, default: 0])
    }

    /// Takes a slot.
    ///
    /// - Returns: whether there was one.
    mutating func take(_ family: ProductFamily) -> Bool {
        guard left(family) > 0 else { return false }
        used[family, default: 0] += 1
        return true
    }
}
