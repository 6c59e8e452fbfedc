package import Releases

/// What is exported as comma-separated values.
package enum ExportedList: Sendable, Equatable {
    /// How many days back an export goes.
    package static let daysRange = 1...3660
    package static let usualDays = 366

    /// What phones fetched, of one app by bundle identifier or slug, or of all.
    case installs(of: String?, days: Int)
    /// Every device that the register knows.
    case devices
    /// What testers said of an app, by bundle identifier or slug.
    case feedback(of: String)
    /// Who did what: to one app, by bundle identifier or slug, or to all, and what a filter leaves;
    /// without days from the filter's first day on, or as far back as usual.
    case activity(days: Int? = nil, of: String? = nil, matching: ActivityFilter = ActivityFilter())

    /// The file's name.
    package var fileName: String {
        switch self {
        case .installs: "installs.csv"
        case .devices: "devices.csv"
        case .activity: "activity.csv"
        case .feedback: "feedback.csv"
        }
    }

    /// Where the API has it, behind `/api/v1`.
    package var path: [String] {
        switch self {
        case .installs(let app?, _), .feedback(let app): ["apps", app, fileName]
        case .installs, .activity, .devices: [fileName]
        }
    }

    package var query: [(name: String, value: String)] {
        switch self {
        case .installs(_, let days): [("days", "\(days)")]
        case .activity(let days, let app, let filter):
            [
                ("days", days.map { "\($0)" }), ("app", app), ("actor", filter.actor),
                ("kind", filter.kind?.rawValue), ("from", filter.from?.description),
                ("to", filter.to?.description),
            ].compactMap { name, value in value.map { (name, $0) } }
        case .devices, .feedback: []
        }
    }
}
