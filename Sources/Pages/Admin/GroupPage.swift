package import Identifiers
package import Releases

/// One group with its devices.
package struct GroupPage: AdminPage {
    package let admin: AdminChrome
    let name: String
    let groupsURL: String
    let members: [Row]
    let isEmpty: Bool
    let others: [Choice]
    let hasOthers: Bool
    let apps: [App]
    let hasApps: Bool
    /// The people whom the sign-in settings make members; nil for none.
    let rules: String?
    let isUsed: Bool
    let links: Links
    let inviteURL: String

    /// - Parameters:
    ///   - group: the group.
    ///   - members: its devices by name, each with its reference and page.
    ///   - others: devices in use that are not in it, in the same form.
    ///   - apps: the apps whose access settings name it.
    ///   - rules: the people whom the sign-in settings make members.
    ///   - links: builds paths of admin pages.
    ///   - admin: the page's header and navigation.
    package init(
        group: GroupName,
        members: [Member],
        others: [Member],
        apps: [AppRecord],
        rules: [String] = [],
        links: AdminLinks,
        admin: AdminChrome,
    ) {
        self.admin = admin
        name = group.rawValue
        groupsURL = links.groups
        self.members = members.map(Row.init)
        isEmpty = members.isEmpty
        self.others = others.map { Choice(value: $0.reference, label: $0.device.name) }
        hasOthers = !others.isEmpty
        let visitor = ProvenVisitor(memberOf: group)
        self.apps = apps.map { app in
            let channels = app.channels(openTo: visitor).map(\.rawValue)
            return App(
                title: app.title,
                url: links.app(app.slug),
                channels: channels.isEmpty ? "No channel yet" : channels.joined(separator: ", "),
            )
        }
        hasApps = !apps.isEmpty
        self.rules = rules.isEmpty ? nil : rules.joined(separator: ", ")
        isUsed = hasApps || !rules.isEmpty
        self.links = Links(links.group(group))
        inviteURL = links.invitations
    }

    package struct Member: Sendable {
        let device: Device
        let reference: String
        let url: String

        package init(_ device: Device, reference: String, url: String) {
            self.device = device
            self.reference = reference
            self.url = url
        }
    }

    struct Row: Sendable {
        let name: String
        let url: String
        let reference: String
        let state: Chip

        init(_ member: Member) {
            name = member.device.name
            url = member.url
            reference = member.reference
            state = Chip(member.device.state)
        }
    }

    struct Choice: Sendable {
        let value: String
        let label: String
    }

    struct App: Sendable {
        let title: String
        let url: String
        let channels: String
    }

    struct Links: Sendable {
        let add: String
        let remove: String
        let delete: String

        init(_ links: AdminGroupLinks) {
            add = links.add
            remove = links.remove
            delete = links.delete
        }
    }
}
