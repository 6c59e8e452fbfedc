import Bundles
package import Essentials
package import Identifiers
package import Inspection

/// One entry of the device register.
package struct Device: Codable, Sendable, Equatable {
    /// The way of a device through the team, in order.
    package enum State: String, Codable, Sendable, CaseIterable {
        /// A tester was invited to enrol; only in histories, because no device is known yet.
        case invited
        /// It proved itself, and waits for the team to approve it.
        case enrolled
        /// The team wants it; the developer account may not have it yet.
        case approved
        /// The developer account has it.
        case registered
        /// Taken out of use. A slot that it held stays used until the membership year ends.
        case disabled
    }

    /// When it came into a state, and through whom.
    package struct Change: Codable, Sendable, Equatable {
        package let state: State
        package let date: Date
        /// Nil where it was not recorded.
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
    /// The product type, such as `iPhone15,2`, where it is known.
    package var model: String?
    package var os: OSVersion?
    /// The identifier of the developer team whose slot it takes; nil for the only one.
    package var team: String?
    /// Further teams whose slots it takes too, in the order in which it joined them; nil for none.
    ///
    /// See ``places``.
    var further: [FurtherTeam]?
    package private(set) var state: State
    package let added: Date
    /// When ``state`` became what it is.
    package private(set) var stateSince: Date
    private var changes: [Change]?
    /// Kept only where there are any; see ``groups``.
    var memberships: [GroupName]?
    /// Invitations with groups that it came with.
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

    /// Its states in order, the present one last; never empty.
    ///
    /// Documents from before histories were kept tell the present state only, and a device that is
    /// disabled in one of them was approved when it was added.
    package var history: [Change] {
        if let changes { return changes }
        let present = Change(state, at: stateSince)
        return state == .disabled ? [Change(.approved, at: added), present] : [present]
    }

    /// The product's name, such as `iPhone 14 Pro`; nil where the model is not known.
    package var modelName: String? { model.map(DeviceModel.name) }

    /// What a verdict needs to know of it.
    package var facts: DeviceFacts {
        DeviceFacts(udid: udid, family: family.deviceFamily, os: os, model: model)
    }

    /// Comes into another state.
    mutating func change(to state: State, at date: Date, by actor: String?) {
        changes = history + [Change(state, at: date, by: actor)]
        self.state = state
        stateSince = date
    }

    /// Continues another history with this one's.
    mutating func continues(_ earlier: [Change]) {
        changes = earlier + history
    }

    /// Begins with its present state where its team's account has never had it, and else behind what it
    /// was there.
    mutating func continuesElsewhere(_ earlier: [Change]) {
        changes = earlier + history.suffix(1)
    }

    /// Takes over the history of another place of it.
    mutating func follows(_ history: [Change]) {
        guard let last = history.last else { return }
        changes = history
        state = last.state
        stateSince = last.date
    }

    /// Names who brought it to the state in which it is new, and when.
    mutating func begins(by actor: String?, at date: Date? = nil) {
        changes = [Change(state, at: date ?? stateSince, by: actor)]
    }
}
