package import Identifiers
package import Releases

/// The values by which devices can be filtered, and the teams that they can be added to.
package struct DeviceChoices: Sendable {
    /// The names of models.
    package var models: [String] = []
    /// The identifiers and names of teams.
    package var teams: [(identifier: String, name: String)] = []
    package var groups: [GroupName] = []
    /// The teams that devices can be added to.
    package var joinable: [Team] = []

    package init() {}
}

/// The form that searches, filters and sorts the register.
struct DeviceSift: Sendable {
    let url: String
    let show: String
    let search: String
    let selects: [Select]
    /// The page without filters; nil if there are none.
    let clearURL: String?

    struct Select: Sendable {
        let name: String
        let label: String
        let options: [Option]
    }

    struct Option: Sendable {
        let value: String
        let label: String
        let isChosen: Bool

        init(_ value: String, _ label: String, _ chosen: String) {
            self.value = value
            self.label = label
            isChosen = value == chosen
        }
    }

    init(_ query: DeviceQuery, _ choices: DeviceChoices, _ links: AdminLinks) {
        url = links.findDevice
        show = query.show.rawValue
        search = query.search
        var selects: [Select] = []
        let models = choices.models.map { ($0, $0) }
        let teams = choices.teams.map { team in
            let isNamed = team.name != team.identifier
            return (
                team.identifier, isNamed ? "\(team.name) (\(team.identifier))" : team.name,
            )
        }
        let groups = choices.groups.map { ($0.rawValue, $0.rawValue) }
        func add(_ name: String, _ label: String, _ options: [(String, String)], _ chosen: String) {
            // A filter with a single model or team would be useless.
            guard options.count > 1 || !chosen.isEmpty || (name == "group" && !options.isEmpty)
            else { return }
            let every = Option("", "All \(name)s", chosen)
            let all = [every] + options.map { Option($0.0, $0.1, chosen) }
            selects.append(Select(name: name, label: label, options: all))
        }
        add("model", "Model", models, query.model)
        add("team", "Team", teams, query.team)
        add("group", "Group", groups, query.group)
        let orders = DeviceQuery.Column.allCases
            .filter { $0 != .team || !choices.teams.isEmpty }
            .flatMap { column in
                [
                    Option(column.rawValue, column.title, query.sort),
                    Option("-" + column.rawValue, column.title + ", descending", query.sort),
                ]
            }
        selects.append(Select(name: "sort", label: "Sort by", options: orders))
        self.selects = selects
        clearURL =
            query.isNarrowed ? links.devices(DeviceQuery(show: query.show)) + "#register" : nil
    }
}

/// The heading of a column, which sorts by it.
struct DeviceColumn: Sendable {
    let title: String
    let url: String
    /// `ascending` or `descending`; nil for other columns.
    let direction: String?
    let arrow: String?

    init(_ column: DeviceQuery.Column, _ query: DeviceQuery, _ links: AdminLinks) {
        let isCurrent = query.column == column
        var other = query
        other.column = column
        other.isDescending = isCurrent && !query.isDescending
        title = column.title
        url = links.devices(other) + "#register"
        direction = isCurrent ? (query.isDescending ? "descending" : "ascending") : nil
        arrow = isCurrent ? (query.isDescending ? "↓" : "↑") : nil
    }
}

/// The actions on several devices at once.
package struct DeviceBulk: Sendable {
    /// The chosen action.
    package enum Choice: Equatable, Sendable {
        case approve, disable
        case join(GroupName)
        case leave(GroupName)
        case add(TeamIdentifier)

        /// Returns nil for an action that the form does not offer.
        package init?(_ text: String) {
            let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
            switch (parts.first, parts.dropFirst().first) {
            case ("approve"?, nil): self = .approve
            case ("disable"?, nil): self = .disable
            case ("join"?, let name?):
                guard let group = GroupName(name) else { return nil }
                self = .join(group)
            case ("leave"?, let name?):
                guard let group = GroupName(name) else { return nil }
                self = .leave(group)
            case ("team"?, let name?):
                guard let team = TeamIdentifier(name) else { return nil }
                self = .add(team)
            default: return nil
            }
        }
    }

    /// The prefix of a device's reference in the name of its field.
    package static let prefix = "d."

    let url: String
    let fields: [ConfirmPage.Field]
    let options: [DeviceSift.Option]

    init(_ query: DeviceQuery, page: Int, _ choices: DeviceChoices, _ links: AdminLinks) {
        url = links.selectedDevices
        var fields = query.fields.map { ConfirmPage.Field(name: $0.name, value: $0.value) }
        if page > 1 { fields.append(ConfirmPage.Field(name: "page", value: "\(page)")) }
        self.fields = fields
        let names = choices.groups.map(\.rawValue)
        var options = [
            DeviceSift.Option("approve", "Approve", ""),
            DeviceSift.Option("disable", "Disable…", ""),
        ]
        options += names.map { DeviceSift.Option("join:\($0)", "Add to group \($0)", "") }
        options += names.map { DeviceSift.Option("leave:\($0)", "Remove from group \($0)", "") }
        options += choices.joinable.map { team in
            DeviceSift.Option(
                "team:\(team.identifier.rawValue)",
                "Add to team \(team.name)",
                "",
            )
        }
        self.options = options
    }
}

extension DeviceQuery {
    /// The text if nothing is found.
    var emptiness: String {
        if !search.isEmpty, (group + team + model).isEmpty {
            return "No device matches “\(search)”."
        }
        if isNarrowed { return "No device matches these filters." }
        return show == .all
            ? "No devices yet. Invite a tester to add their device." : "No device is in this state."
    }
}
