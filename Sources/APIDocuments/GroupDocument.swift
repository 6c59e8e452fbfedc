package import Access
package import Foundation
import Identifiers
package import Releases

/// A group in the API and in `--json`; only admins can see groups.
package struct GroupEntry: Codable, Equatable, Sendable {
    package let group: String
    package let created: Date
    package let createdBy: String
    /// The number of devices in use that are members.
    package let members: Int
    /// The apps whose access settings name the group.
    package let apps: [AppOfGroup]
    /// Who becomes a member by the sign-in settings: `everyone`, `@example.com`, an e-mail address, `sub:`
    /// and a subject, or `claim:` and a value.
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

/// An app whose access settings name a group.
package struct AppOfGroup: Codable, Equatable, Sendable {
    /// The bundle identifier.
    package let app: String
    package let title: String
    /// The existing channels that the group's members can see, by name.
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

/// Which channels of which apps the members of each group can see.
package struct AccessMatrixDocument: Codable, Equatable, Sendable {
    /// One app, by title.
    package struct Row: Codable, Equatable, Sendable {
        /// The bundle identifier.
        package let app: String
        package let title, slug: String
        package let access: AppRecord.Access
        /// By group, the existing channels that its members can see once their device is approved.
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
    /// Sorted by name.
    package let groups: [String]
    package let apps: [Row]

    package init(groups: [String], apps: [Row]) {
        self.groups = groups
        self.apps = apps
    }
}
