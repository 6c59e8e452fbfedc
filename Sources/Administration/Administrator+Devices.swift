package import APIDocuments
import Access
import Bundles
package import Foundation
package import Identifiers
package import Releases
import Store

extension Administrator {
    /// Adds a device, or enables a disabled one.
    ///
    /// - Returns: its entry.
    /// - Throws: ``DeviceRefusal``, ``StoreFailure``.
    @discardableResult
    package func addDevice(_ new: NewDevice) throws -> Device {
        if let model = new.model, ProductType(model) == nil { throw DeviceRefusal.badModel(model) }
        if let team = new.team { try check(teamOfDevice: team) }
        let now = clock()
        let family = new.family ?? new.model.flatMap(ProductFamily.init(model:))
        var added: Device?
        try store.changeDevices { register in
            // A disabled device keeps its former properties, unless new ones are given.
            let former = register[new.udid]
            let family = family ?? former?.family ?? .iphone
            var device = Device(
                udid: new.udid,
                name: new.name ?? former?.name ?? Self.freeName(family, in: register),
                family: family,
                model: new.model,
                os: new.os,
                added: now,
            )
            device.team = new.team?.rawValue
            try register.add(device, at: now, by: name)
            added = register[new.udid]
        } recording: {
            added.map { [activity(.deviceAdded, $0.name, at: now)] } ?? []
        }
        guard let added else { throw DeviceRefusal.unknown }
        return added
    }

    /// Approves enrolled devices, each of which takes a slot: all of them, or none.
    ///
    /// - Returns: those that were waiting for approval.
    @discardableResult
    package func approve(_ udids: [DeviceUDID]) throws -> [Device] {
        try approve { _ in udids }
    }

    /// Approves every device that is waiting.
    @discardableResult
    package func approveAll() throws -> [Device] {
        try approve { $0.pending.map(\.udid) }
    }

    /// Renames a device, or changes the teams that it belongs to.
    ///
    /// - Parameters:
    ///   - udid: the device.
    ///   - name: the new name; nil to leave it.
    ///   - choice: the team that it belongs to from now on, or no team; nil to leave it.
    ///   - added: further teams that it joins.
    ///   - removed: further teams that it leaves.
    ///   - isExpected: whether the device is still as the client has seen it.
    /// - Returns: its entry.
    /// - Throws: ``DeviceRefusal``, ``TeamRefusal/unknown(_:)``,
    ///   ``AdministrationRefusal/changedMeanwhile(_:)``, ``StoreFailure``.
    @discardableResult
    package func rename(
        _ udid: DeviceUDID,
        to name: String?,
        of choice: TeamChoice? = nil,
        adding added: [TeamIdentifier] = [],
        removing removed: [TeamIdentifier] = [],
        if isExpected: (Device) throws -> Bool = { _ in true },
    ) throws -> Device {
        let now = clock()
        let teams = try store.teams()
        let isKnown = { (team: TeamIdentifier) in teams.contains { $0.identifier == team } }
        for team in added + (choice?.team.map { [$0] } ?? []) where !isKnown(team) {
            throw TeamRefusal.unknown(team.rawValue)
        }
        var before: Device?
        let register = try store.changeDevices { register in
            if let device = register[udid], try !isExpected(device) {
                throw AdministrationRefusal.changedMeanwhile("the device")
            }
            before = register[udid]
            if let name { try register.rename(udid, to: name) }
            if let choice {
                var after = before
                after?.team = choice.team?.rawValue
                try register.move(
                    udid,
                    to: choice.team,
                    ownedBy: choice.team ?? after?.owner(among: teams)?.identifier,
                    from: before?.owner(among: teams)?.identifier,
                    at: now,
                    by: self.name,
                )
            }
            for team in removed { try register.leave(udid, team, at: now, by: self.name) }
            for team in added {
                let owner = register[udid]?.owner(among: teams)?.identifier
                try register.join(udid, team, ownedBy: owner, at: now, by: self.name)
            }
        } recording: {
            let titled = { (team: TeamIdentifier) in
                teams.first { $0.identifier == team }?.name ?? team.rawValue
            }
            var news: [Activity] = []
            if let name {
                let detail = "was \(before?.name ?? "")"
                news.append(activity(.deviceRenamed, name, detail: detail, at: now))
            }
            if let choice, before?.team != choice.team?.rawValue {
                let title = teams.first { $0.identifier == choice.team }?.name ?? "no team"
                let subject = name ?? before?.name ?? ""
                news.append(activity(.deviceAssigned, subject, detail: title, at: now))
            }
            let further =
                added.map { "also " + titled($0) } + removed.map { "no longer " + titled($0) }
            let subject = name ?? before?.name ?? ""
            return news + further.map { activity(.deviceAssigned, subject, detail: $0, at: now) }
        }
        guard let device = register[udid] else { throw DeviceRefusal.unknown }
        return device
    }

    /// Disables a device; its slot stays used until the membership year ends.
    @discardableResult
    package func disable(_ udid: DeviceUDID) throws -> Device {
        let now = clock()
        var device: Device?
        try store.changeDevices {
            device = try $0.disable(udid, at: now, by: name)
        } recording: {
            device.map { [activity(.deviceRemoved, $0.name, at: now)] } ?? []
        }
        guard let device else { throw DeviceRefusal.unknown }
        return device
    }

    /// Disables devices in one change; those that are already disabled stay unchanged.
    ///
    /// - Returns: those that were not disabled before.
    /// - Throws: ``DeviceRefusal``, ``StoreFailure``.
    @discardableResult
    package func disable(_ udids: [DeviceUDID]) throws -> [Device] {
        let now = clock()
        var disabled: [Device] = []
        try store.changeDevices { register in
            disabled = []
            for udid in udids where register[udid]?.state != .disabled {
                disabled.append(try register.disable(udid, at: now, by: name))
            }
        } recording: {
            disabled.map { activity(.deviceRemoved, $0.name, at: now) }
        }
        return disabled
    }

    /// Disables a device, or erases every trace of it: the entry, the invitation through which it was
    /// enrolled, the kept generations of both, and its reference in the install journals and in feedback.
    ///
    /// - Returns: its last entry.
    @discardableResult
    package func remove(_ udid: DeviceUDID, erasing: Bool) throws -> Device {
        guard erasing else { return try disable(udid) }
        guard try store.devices()[udid] != nil else { throw DeviceRefusal.unknown }
        // The register is changed last: while it contains the device, an erasure that failed half-way can
        // be repeated.
        try store.eraseFromInvitations(udid)
        let reference = try references.reference(to: udid)
        try store.eraseFromInstalls(reference)
        try store.eraseFromFeedback(reference)
        let now = clock()
        var device: Device?
        try store.changeDevices {
            device = try $0.forget(udid)
        } recording: {
            [activity(.deviceRemoved, "a device", at: now)]
        }
        guard let device else { throw DeviceRefusal.unknown }
        return device
    }

    /// Sets the day on which the membership renews.
    ///
    /// - Parameters:
    ///   - day: the day, in any year.
    ///   - team: the team of the membership; nil for that of devices without a team, which belong to the
    ///     only team with a developer account.
    /// - Returns: the resulting slots.
    /// - Throws: ``TeamRefusal/unknown(_:)``, ``StoreFailure``.
    @discardableResult
    package func renewMembership(
        on day: Date,
        of team: TeamIdentifier? = nil,
    ) throws -> [DeviceSlots] {
        if let team { try check(teamOfDevice: team) }
        let now = clock()
        let teams = try store.teams()
        let register = try store.changeDevices {
            $0.setRenewal(on: day, of: team, among: teams)
        } recording: {
            [activity(.settingsChanged, "membership year", at: now)]
        }
        return register.slots(at: now)
    }

    private func approve(
        _ choose: (DeviceRegister) -> [DeviceUDID]
    ) throws -> [Device] {
        let now = clock()
        var approved: [Device] = []
        try store.changeDevices { register in
            approved = []
            for udid in choose(register) {
                let isNew = register[udid]?.state == .enrolled
                let device = try register.approve(udid, at: now, by: name)
                if isNew { approved.append(device) }
            }
        } recording: {
            approved.map { activity(.deviceApproved, $0.name, at: now) }
        }
        return approved
    }

    private static func freeName(_ family: ProductFamily, in register: DeviceRegister) -> String {
        let taken = Set(register.devices.map(\.name))
        let numbers = sequence(first: 1) { $0 + 1 }
        let free = numbers.first { !taken.contains("\(family.title) \($0)") } ?? 1
        return "\(family.title) \(free)"
    }
}
