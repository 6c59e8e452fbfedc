package import Releases

/// A list that can be exported as comma-separated values.
package enum ExportedList: Sendable, Equatable {
    /// The allowed number of days that an export covers.
    package static let daysRange = 1...3660
    package static let usualDays = 366

    /// The install attempts of one app, by bundle identifier or slug, or of all apps.
    case installs(of: String?, days: Int)
    /// All devices in the register.
    case devices
    /// The feedback for an app, by bundle identifier or slug.
    case feedback(of: String)
    /// The activity of one app, by bundle identifier or slug, or of all apps, after filtering.
    ///
    /// If `days` is nil, it starts at the filter's first day, or covers the usual number of days.
    case activity(days: Int? = nil, of: String? = nil, matching: ActivityFilter = ActivityFilter())

    /// The name of the file.
    package var fileName: String {
        switch self {
        case .installs: "installs.csv"
        case .devices: "devices.csv"
        case .activity: "activity.csv"
        case .feedback: "feedback.csv"
        }
    }

    /// The path in the API after `/api/v1`.
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
