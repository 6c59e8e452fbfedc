package import Access
package import Foundation
import Identifiers
package import Releases

/// One group as documents show it; only admins see any.
package struct GroupEntry: Codable, Equatable, Sendable {
    package let group: String
    package let created: Date
    package let createdBy: String
    /// How many devices in use are in it.
    package let members: Int
    /// What names it in its access.
    package let apps: [AppOfGroup]
    /// Whom the settings of sign-in make members of it: `everyone`, `@example.com`, an address, `sub:` and a
    /// subject, or `claim:` and a value.
    package let signIn: [String]

    package init(
        _ group: TesterGroup,
        in register: DeviceRegister,
        apps: [AppRecord],
        grants: [TesterGrant],
    ) {
        self.group = group.name.rawValue
        created = group.created
        createdBy = group.createdBy
        members = register.members(of: group.name).count
        self.apps = apps.filter { $0.namedGroups.contains(group.name) }
            .map { AppOfGroup($0, group) }
        signIn = grants.filter { $0.group == group.name }.map(\.words)
    }
}

/// An app whose access names a group.
package struct AppOfGroup: Codable, Equatable, Sendable {
    /// Bundle identifier.
    package let app: String
    package let title: String
    /// The channels that exist and that the group's members see, by name.
    package let channels: [String]

    fileprivate init(_ app: AppRecord, _ group: TesterGroup) {
        self.app = app.bundleIdentifier.rawValue
        title = app.title
        channels = app.channels(openTo: ProvenVisitor(memberOf: group.name)).map(\.rawValue)
    }
}

/// `{"schema": 1, "groups": […]}`, by name.
package struct GroupsDocument: Codable, Equatable, Sendable {
    package var schema = 1
    package let groups: [GroupEntry]

    package init(groups: [GroupEntry]) {
        self.groups = groups
    }
}

/// One group with its devices, by name.
package struct GroupDocument: Codable, Equatable, Sendable {
    package var schema = 1
    package let group: GroupEntry
    package let devices: [DeviceEntry]

    package init(group: GroupEntry, devices: [DeviceEntry]) {
        self.group = group
        self.devices = devices
    }
}

/// Which channels of which app the members of each group see.
package struct AccessMatrixDocument: Codable, Equatable, Sendable {
    /// One app, by title.
    package struct Row: Codable, Equatable, Sendable {
        /// Bundle identifier.
        package let app: String
        package let title, slug: String
        package let access: AppRecord.Access
        /// By group, the channels that exist and that its members see once their device is approved.
        package let open: [String: [String]]

        package init(_ app: AppRecord, groups: [TesterGroup]) {
            self.app = app.bundleIdentifier.rawValue
            title = app.title
            slug = app.slug.rawValue
            access = app.access
            open = Dictionary(
                uniqueKeysWithValues: groups.map { group in
                    let channels = app.channels(openTo: ProvenVisitor(memberOf: group.name))
                    return (group.name.rawValue, channels.map(\.rawValue))
                }
            )
        }
    }

    package var schema = 1
    /// By name.
    package let groups: [String]
    package let apps: [Row]

    package init(groups: [String], apps: [Row]) {
        self.groups = groups
        self.apps = apps
    }
}
