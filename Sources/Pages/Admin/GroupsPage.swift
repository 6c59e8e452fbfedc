import Identifiers
package import Releases

/// The groups of testers, and which channels of which apps each of them sees.
package struct GroupsPage: AdminPage {
    package let admin: AdminChrome
    let devicesURL: String
    let actionURL: String
    let typed: String
    let problem: PageProblem?
    let groups: [Row]
    let hasGroups: Bool
    let columns: [Column]
    let apps: [Line]
    let hasMatrix: Bool

    /// - Parameters:
    ///   - groups: the groups by name, with the number of their devices.
    ///   - apps: the apps by title.
    ///   - typed: the group name that was refused; empty for none.
    ///   - problem: the reason for the refusal.
    ///   - links: builds paths of admin pages.
    ///   - admin: the page's header and navigation.
    package init(
        groups: [(group: TesterGroup, members: Int)],
        apps: [AppRecord],
        typed: String = "",
        problem: PageProblem? = nil,
        links: AdminLinks,
        admin: AdminChrome,
    ) {
        self.admin = admin
        devicesURL = links.devices
        actionURL = links.groups
        self.typed = typed
        self.problem = problem
        self.groups = groups.map { group, members in
            Row(
                name: group.name.rawValue,
                url: links.group(group.name).page,
                detail: Wording.count(members, "device") + ", created by \(group.createdBy) on "
                    + Wording.day(group.created),
            )
        }
        hasGroups = !groups.isEmpty
        columns = groups.map {
            Column(name: $0.group.name.rawValue, url: links.group($0.group.name).page)
        }
        self.apps = apps.map { app in
            Line(
                title: app.title,
                url: links.app(app.slug),
                access: Chip(app.access),
                cells: groups.map { Cell(app, $0.group.name) },
            )
        }
        hasMatrix = hasGroups && !apps.isEmpty
    }

    struct Row: Sendable {
        let name: String
        let url: String
        let detail: String
    }

    struct Column: Sendable {
        let name: String
        let url: String
    }

    struct Line: Sendable {
        let title: String
        let url: String
        let access: Chip
        let cells: [Cell]
    }

    /// The channels of an app that the members of a group see.
    struct Cell: Sendable {
        let channels: [String]
        let isEmpty: Bool

        init(_ app: AppRecord, _ group: GroupName) {
            channels = app.channels(openTo: ProvenVisitor(memberOf: group)).map(\.rawValue)
            isEmpty = channels.isEmpty
        }
    }
}
