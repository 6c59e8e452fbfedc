package import Releases

/// Selects and sorts the list of devices.
package struct DeviceQuery: Sendable, Equatable {
    package enum Show: String, Sendable, CaseIterable {
        case all = ""
        case enrolled, approved, registered, disabled

        var title: String {
            switch self {
            case .all: "Active"
            case .enrolled: "Pending"
            case .approved: "Not yet at Apple"
            case .registered: "Registered"
            case .disabled: "Disabled"
            }
        }

        package func includes(_ state: Device.State) -> Bool {
            switch self {
            case .all: state != .disabled
            case .enrolled: state == .enrolled
            case .approved: state == .approved
            case .registered: state == .registered
            case .disabled: state == .disabled
            }
        }
    }

    /// The columns that the table can be sorted by.
    package enum Column: String, Sendable, CaseIterable {
        case name, model, os, state, team, since

        var title: String {
            switch self {
            case .name: "Name"
            case .model: "Model"
            case .os: "OS"
            case .state: "State"
            case .team: "Team"
            case .since: "Since"
            }
        }
    }

    /// The most characters of each value.
    package static let limit = 100

    package var show: Show
    /// Words of the name, model, system, team or groups, in any order.
    package var search: String
    /// The group that devices are in; empty for any.
    package var group = ""
    /// The identifier of the team that devices are in; empty for any.
    package var team = ""
    /// The name of the model; empty for any.
    package var model = ""
    package var column = Column.name
    package var isDescending = false

    package init(show: Show = .all, search: String = "") {
        self.show = show
        self.search = search
    }

    /// Parses the query from a URL or a form; nil for a state or a column that does not exist.
    ///
    /// - Parameter field: returns the value of a field; nil if there is none.
    package init?(_ field: (String) -> String?) {
        func value(_ name: String) -> String { String((field(name) ?? "").prefix(Self.limit)) }
        guard let show = Show(rawValue: value("show")) else { return nil }
        self.init(show: show, search: value("search"))
        group = value("group")
        team = value("team")
        model = value("model")
        let sort = value("sort")
        guard !sort.isEmpty else { return }
        isDescending = sort.hasPrefix("-")
        guard let column = Column(rawValue: String(sort.drop { $0 == "-" })) else { return nil }
        self.column = column
    }

    /// The order in URLs: a column, with a minus sign in front for descending order.
    var sort: String { (isDescending ? "-" : "") + column.rawValue }

    /// Whether the query has any filter besides the state.
    var isNarrowed: Bool { !(search + group + team + model).isEmpty }

    /// All fields with values other than the default, by name.
    package var fields: [(name: String, value: String)] {
        let all: [(name: String, value: String)] = [
            ("show", show.rawValue), ("search", search), ("group", group), ("team", team),
            ("model", model), ("sort", sort == Column.name.rawValue ? "" : sort),
        ]
        return all.filter { !$0.value.isEmpty }
    }
}

extension AdminLinks {
    /// Returns the path of one page of the devices that match a query.
    package func devices(_ query: DeviceQuery, page: Int = 1) -> String {
        var fields = query.fields
        if page > 1 { fields.append(("page", "\(page)")) }
        let pairs = fields.map { "\($0.name)=\(InstallLink.percentEncoded($0.value))" }
        return devices + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))
    }

    /// The target of the form that acts on the selected devices.
    package var selectedDevices: String { devices + "/selected" }
}
