import APIDocuments
import Access
package import Identifiers
package import Releases
import Store

extension Administrator {
    /// Creates a group without members.
    ///
    /// - Throws: ``GroupRefusal``, also if an app's access still names the group; ``StoreFailure``.
    package func createGroup(_ name: GroupName) throws {
        guard try store.devices()[name] == nil else { throw GroupRefusal.exists(name) }
        try check(isUnused: name)
        let now = clock()
        try store.changeDevices {
            try $0.create(name, by: self.name, at: now)
        } recording: {
            [activity(.groupCreated, name.rawValue, at: now)]
        }
    }

    /// Deletes a group, unless an app's access or the sign-in settings name it.
    ///
    /// - Throws: ``GroupRefusal``, ``StoreFailure``.
    package func deleteGroup(_ name: GroupName) throws {
        try check(isUnused: name)
        let now = clock()
        try store.changeDevices {
            try $0.delete(name)
        } recording: {
            [activity(.groupDeleted, name.rawValue, at: now)]
        }
    }

    /// Adds devices to a group: all of them, or none.
    ///
    /// - Throws: ``GroupRefusal``, ``DeviceRefusal``, ``StoreFailure``.
    package func add(_ udids: [DeviceUDID], to group: GroupName) throws {
        let now = clock()
        var added: [Device] = []
        try store.changeDevices {
            added = try $0.add(udids, to: group)
        } recording: {
            added.map { activity(.groupJoined, $0.name, detail: group.rawValue, at: now) }
        }
    }

    /// Removes devices from a group.
    ///
    /// - Throws: ``GroupRefusal``, ``StoreFailure``.
    package func remove(_ udids: [DeviceUDID], from group: GroupName) throws {
        let now = clock()
        var removed: [Device] = []
        try store.changeDevices {
            removed = try $0.remove(udids, from: group)
        } recording: {
            removed.map { activity(.groupLeft, $0.name, detail: group.rawValue, at: now) }
        }
    }

    /// Limits a channel to groups of its own, or gives it the access of its app.
    ///
    /// - Throws: ``GroupRefusal``, ``StoreFailure``.
    @discardableResult
    package func open(
        _ channel: ChannelName,
        of app: AppRecord,
        to access: AppRecord.ChannelAccess,
    ) throws -> AppRecord {
        if case .groups(let names) = access { try check(groups: names.names) }
        let now = clock()
        var changed = app
        return try store.changeApp(app.bundleIdentifier) { record in
            try record.open(channel, to: access)
            changed = record
        } recording: {
            let words = "channel \(channel) open to \(access)"
            return [activity(.appChanged, app: changed, changed.title, detail: words, at: now)]
        }
    }

    /// Checks that groups exist.
    ///
    /// - Throws: ``GroupRefusal/unknown(_:)``, ``StoreFailure``.
    func check(groups names: [GroupName]) throws {
        guard !names.isEmpty else { return }
        let register = try store.devices()
        for name in names where register[name] == nil {
            throw GroupRefusal.unknown(name.rawValue)
        }
    }

    /// Checks that nothing names the group: a new group of the same name must not get a deleted group's
    /// access.
    private func check(isUnused name: GroupName) throws {
        let apps = try store.apps().filter { $0.namedGroups.contains(name) }
        guard apps.isEmpty else { throw GroupRefusal.inUse(name, apps: apps.map(\.title)) }
        let testers = try store.signInSettings()?.testers ?? []
        guard !testers.contains(where: { $0.group == name }) else {
            throw GroupRefusal.ofSignIn(name)
        }
    }
}
