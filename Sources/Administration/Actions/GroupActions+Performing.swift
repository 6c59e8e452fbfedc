package import APIDocuments
import Access
import Identifiers
import Releases
import Store

extension Actions {
    static let groups: [any PerformedAction.Type] = [
        ListGroups.self, CreateGroup.self, ShowGroup.self, DeleteGroup.self, AddToGroup.self,
        RemoveFromGroup.self, ShowAccessMatrix.self,
    ]
}

extension ListGroups: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> GroupsDocument {
        let store = administration.admin.store
        let register = try store.devices()
        let apps = try store.apps()
        let grants = try administration.admin.testerGrants()
        return GroupsDocument(
            groups: register.groups.map {
                GroupEntry($0, in: register, apps: apps, grants: grants)
            }
        )
    }
}

extension CreateGroup: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> GroupDocument {
        try administration.admin.createGroup(content.name)
        return try administration.admin.document(ofGroup: content.name)
    }
}

extension ShowGroup: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> GroupDocument {
        try administration.admin.document(ofGroup: GroupName(named: group))
    }
}

extension DeleteGroup: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> GroupDocument {
        let name = try GroupName(named: group)
        let document = try administration.admin.document(ofGroup: name)
        try administration.admin.deleteGroup(name)
        return document
    }
}

extension AddToGroup: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> GroupDocument {
        let admin = administration.admin
        let name = try GroupName(named: group)
        try admin.add(admin.devices(referencedAs: content.devices).map(\.udid), to: name)
        return try admin.document(ofGroup: name)
    }
}

extension RemoveFromGroup: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> GroupDocument {
        let admin = administration.admin
        let name = try GroupName(named: group)
        let udids = try admin.devices(referencedAs: content.devices).map(\.udid)
        try admin.remove(udids, from: name)
        return try admin.document(ofGroup: name)
    }
}

extension ShowAccessMatrix: StoreAction {
    package func perform(in administration: LocalAdministration) throws -> AccessMatrixDocument {
        let store = administration.admin.store
        let groups = try store.devices().groups
        return AccessMatrixDocument(
            groups: groups.map(\.name.rawValue),
            apps: try store.apps().map { AccessMatrixDocument.Row($0, groups: groups) },
        )
    }
}

extension GroupName {
    /// A group named in a URL.
    ///
    /// - Throws: ``GroupRefusal/unknown(_:)`` if no group can have that name.
    fileprivate init(named text: String) throws(GroupRefusal) {
        guard let name = GroupName(text) else { throw .unknown(text) }
        self = name
    }
}

extension Administrator {
    /// The sign-in settings' grants to testers; none if the settings are damaged.
    fileprivate func testerGrants() throws -> [TesterGrant] {
        try store.unlessDamaged { try store.signInSettings()?.testers ?? [] } ?? []
    }

    fileprivate func document(ofGroup name: GroupName) throws -> GroupDocument {
        let register = try store.devices()
        guard let group = register[name] else { throw GroupRefusal.unknown(name.rawValue) }
        let references = try references
        let teams = try store.unlessDamaged { try store.teams() } ?? []
        return GroupDocument(
            group: GroupEntry(
                group,
                in: register,
                apps: try store.apps(),
                grants: try testerGrants(),
            ),
            devices: register.members(of: name).map { DeviceEntry($0, among: teams, references) },
        )
    }
}
