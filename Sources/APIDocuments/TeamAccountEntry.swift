package import Foundation
package import Identifiers
package import Releases

/// A team's developer account in the API and in `--json`, without its key and devices.
package struct TeamAccountEntry: Codable, Equatable, Sendable {
    /// The slots of a product family, as counted by Apple.
    package struct Slots: Codable, Equatable, Sendable {
        package let family: ProductFamily
        /// Includes disabled devices until the membership renews.
        package let used: Int
        package let limit: Int

        package init(_ slots: AccountSnapshot.UsedSlots) {
            family = slots.family
            used = slots.used
            limit = DeviceRegister.slotLimit
        }
    }

    /// The state of the account when the server last asked Apple.
    package struct Snapshot: Codable, Equatable, Sendable {
        package let date: Date
        package let slots: [Slots]
        /// Devices of the register that the account has too.
        package let known: Int
        /// Those of them that are disabled at Apple.
        package let disabled: Int
        /// Those of them that Apple is still processing, or that are not eligible yet.
        package let waiting: Int
        /// Devices of the account that the register does not have.
        package let unknown: Int
    }

    /// The problem that keeps the server from using the account.
    package struct Trouble: Codable, Equatable, Sendable {
        package let id, message, fix: String
        /// Whether the server stops using the account until an admin has acted.
        package let needsPerson: Bool
        package let since: Date
    }

    /// A UUID in lower case.
    package let issuer: String
    package let keyID: String
    package let added: Date
    package let addedBy: String
    /// When an admin agreed to the changes of the first comparison; nil if none has.
    package let agreed: Date?
    package let agreedBy: String?
    /// Nil before the first comparison.
    package let snapshot: Snapshot?
    /// Nil if there is no problem.
    package let trouble: Trouble?
    /// Since when a private key has been waiting for its certificate; nil if none is.
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
