import Bundles
package import Essentials
package import Identifiers
package import Inspection

/// A device in the register.
package struct Device: Codable, Sendable, Equatable {
    /// The states of a device, in order.
    package enum State: String, Codable, Sendable, CaseIterable {
        /// A tester was invited to enrol; occurs only in histories, because the device is not known yet.
        case invited
        /// The device has proven its identity and is waiting for approval.
        case enrolled
        /// The device is approved; the developer account may not have it yet.
        case approved
        /// The developer account has it.
        case registered
        /// The device is out of use; a slot that it held stays used until the membership year ends.
        case disabled
    }

    /// When a device entered a state, and who caused it.
    package struct Change: Codable, Sendable, Equatable {
        package let state: State
        package let date: Date
        /// Nil if it was not recorded.
        package let by: String?

        package init(_ state: State, at date: Date, by actor: String? = nil) {
            self.state = state
            self.date = date
            by = actor
        }
    }

    package let udid: DeviceUDID
    package var name: String
    package var family: ProductFamily
    /// The product type, such as `iPhone15,2`; nil if unknown.
    package var model: String?
    package var os: OSVersion?
    /// The identifier of the developer team whose slot it takes; nil for the only team.
    package var team: String?
    /// Other teams whose slots it takes too, in the order in which it joined them; nil for none.
    ///
    /// See ``places``.
    var further: [FurtherTeam]?
    package private(set) var state: State
    package let added: Date
    /// When ``state`` last changed.
    package private(set) var stateSince: Date
    private var changes: [Change]?
    /// Nil if there are none; see ``groups``.
    var memberships: [GroupName]?
    /// The invitations with groups through which it enrolled.
    var invitations: [String]?

    private enum CodingKeys: String, CodingKey {
        case udid, name, family, model, os, team, state, added, stateSince, invitations
        case further = "furtherTeams"
        case changes = "history"
        case memberships = "groups"
    }

    package init(
        udid: DeviceUDID,
        name: String,
        family: ProductFamily,
        model: String? = nil,
        os: OSVersion? = nil,
        state: State = .approved,
        added: Date,
    ) {
        self.udid = udid
        self.name = name
        self.family = family
        self.model = model
        self.os = os
        self.state = state
        self.added = added
        stateSince = added
    }

    /// Its states in order, the current one last; never empty.
    ///
    /// Documents written before histories existed have only the current state; for a device that is
    /// disabled in one of them, the history starts with approved at the time it was added.
    package var history: [Change] {
        if let changes { return changes }
        let present = Change(state, at: stateSince)
        return state == .disabled ? [Change(.approved, at: added), present] : [present]
    }

    /// The product's name, such as `iPhone 14 Pro`; nil if the model is unknown.
    package var modelName: String? { model.map(DeviceModel.name) }

    /// The properties that verdicts depend on.
    package var facts: DeviceFacts {
        DeviceFacts(udid: udid, family: family.deviceFamily, os: os, model: model)
    }

    /// Changes its state and adds the change to the history.
    mutating func change(to state: State, at date: Date, by actor: String?) {
        changes = history + [Change(state, at: date, by: actor)]
        self.state = state
        stateSince = date
    }

    /// Puts an earlier history before its own.
    mutating func continues(_ earlier: [Change]) {
        changes = earlier + history
    }

    /// Sets its history to an earlier one followed by its current state, because the history of its former
    /// team does not apply to the new one.
    mutating func continuesElsewhere(_ earlier: [Change]) {
        changes = earlier + history.suffix(1)
    }

    /// Replaces its state and history by those in another team.
    mutating func follows(_ history: [Change]) {
        guard let last = history.last else { return }
        changes = history
        state = last.state
        stateSince = last.date
    }

    /// Sets who caused its first state, and when.
    mutating func begins(by actor: String?, at date: Date? = nil) {
        changes = [Change(state, at: date ?? stateSince, by: actor)]
    }
}
