package import Foundation
package import Identifiers
package import Releases

/// A team's developer account as documents show it: never its key, and no device.
package struct TeamAccountEntry: Codable, Equatable, Sendable {
    /// What Apple counts of a family.
    package struct Slots: Codable, Equatable, Sendable {
        package let family: ProductFamily
        /// Disabled devices are among them until the membership is renewed.
        package let used: Int
        package let limit: Int

        package init(_ slots: AccountSnapshot.UsedSlots) {
            family = slots.family
            used = slots.used
            limit = DeviceRegister.slotLimit
        }
    }

    /// What Apple said last.
    package struct Snapshot: Codable, Equatable, Sendable {
        package let date: Date
        package let slots: [Slots]
        /// Devices of the register that the account has too.
        package let known: Int
        /// Those among them that are disabled at Apple.
        package let disabled: Int
        /// Those among them that Apple has not finished with.
        package let waiting: Int
        /// Devices of the account that the register does not have.
        package let unknown: Int
    }

    /// What keeps the server from working there.
    package struct Trouble: Codable, Equatable, Sendable {
        package let id, message, fix: String
        /// Whether nothing continues before an admin has done something.
        package let needsPerson: Bool
        package let since: Date
    }

    /// A UUID in lower case.
    package let issuer: String
    package let keyID: String
    package let added: Date
    package let addedBy: String
    /// When an admin agreed to what the first comparison would change; nil while no one has.
    package let agreed: Date?
    package let agreedBy: String?
    /// nil before the first comparison.
    package let snapshot: Snapshot?
    /// nil while nothing is wrong.
    package let trouble: Trouble?
    /// Since when a private key waits for its certificate; nil where none does.
    package let requested: Date?

    package init(_ account: TeamAccount) {
        issuer = account.issuer
        keyID = account.keyID
        added = account.added
        addedBy = account.addedBy
        agreed = account.agreed
        agreedBy = account.agreedBy
        snapshot = account.snapshot.map(Snapshot.init)
        trouble = account.trouble.map {
            Trouble(
                id: $0.id,
                message: $0.message,
                fix: $0.fix,
                needsPerson: $0.needsPerson,
                since: $0.since,
            )
        }
        requested = account.requested?.date
    }
}

extension TeamAccountEntry.Snapshot {
    fileprivate init(_ snapshot: AccountSnapshot) {
        date = snapshot.date
        slots = snapshot.slots.map(TeamAccountEntry.Slots.init)
        known = snapshot.devices.count
        disabled = snapshot.devices.count { $0.status == .disabled }
        waiting = snapshot.devices.count { $0.status == .processing || $0.status == .ineligible }
        unknown = snapshot.unknownCount
    }
}
