/// What is exported as comma-separated values.
package enum ExportedList: Sendable, Equatable {
    /// How many days back an export goes.
    package static let daysRange = 1...3660
    package static let usualDays = 366

    /// What phones fetched, of one app by bundle identifier or slug, or of all.
    case installs(of: String?, days: Int)
    /// Every device that the register knows.
    case devices
    /// Who did what.
    case activity(days: Int)

    /// The file's name.
    package var fileName: String {
        switch self {
        case .installs: "installs.csv"
        case .devices: "devices.csv"
        case .activity: "activity.csv"
        }
    }

    /// Where the API has it, behind `/api/v1`.
    package var path: [String] {
        if case .installs(let app?, _) = self { return ["apps", app, fileName] }
        return [fileName]
    }

    package var query: [(name: String, value: String)] {
        switch self {
        case .installs(_, let days), .activity(let days): [("days", "\(days)")]
        case .devices: []
        }
    }
}
