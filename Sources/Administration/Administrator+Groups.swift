import APIDocuments
import Access
package import Identifiers
package import Releases
import Store

extension Administrator {
    /// Creates a group without members.
    ///
    /// - Throws: ``GroupRefusal``, also for a name that the access to an app has still; ``StoreFailure``.
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

    /// Deletes a group that no app is open to.
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

    /// Opens a channel to groups of its own, or as its app is.
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

    /// Checks that groups are there.
    ///
    /// - Throws: ``GroupRefusal/unknown(_:)``, ``StoreFailure``.
    func check(groups names: [GroupName]) throws {
        guard !names.isEmpty else { return }
        let register = try store.devices()
        for name in names where register[name] == nil {
            throw GroupRefusal.unknown(name.rawValue)
        }
    }

    /// A group that comes again after it was deleted must not open an app that its name was left at.
    private func check(isUnused name: GroupName) throws {
        let apps = try store.apps().filter { $0.namedGroups.contains(name) }
        guard apps.isEmpty else { throw GroupRefusal.inUse(name, apps: apps.map(\.title)) }
        let testers = try store.signInSettings()?.testers ?? []
        guard !testers.contains(where: { $0.group == name }) else {
            throw GroupRefusal.ofSignIn(name)
        }
    }
}
