package import Releases

/// The sections of the admin pages, in the order of their navigation.
package enum AdminSection: String, CaseIterable, Sendable {
    case dashboard, apps, devices, profiles, teams, activity, tokens, notices, mirrors

    /// Whether users with read access to apps have the section too.
    package var isForReaders: Bool {
        switch self {
        case .dashboard, .apps, .profiles, .activity: true
        case .devices, .teams, .tokens, .notices, .mirrors: false
        }
    }

    package func url(_ links: AdminLinks) -> String {
        switch self {
        case .dashboard: links.dashboard
        case .apps: links.apps
        case .devices: links.devices
        case .profiles: links.profiles
        case .teams: links.teams
        case .activity: links.activity
        case .tokens: links.tokens
        case .notices: links.notices
        case .mirrors: links.mirrors
        }
    }

    var title: String {
        switch self {
        case .dashboard: "Overview"
        case .apps: "Apps"
        case .devices: "Devices"
        case .profiles: "Profiles"
        case .teams: "Teams"
        case .activity: "Activity"
        case .tokens: "Tokens"
        case .notices: "Webhooks"
        case .mirrors: "Mirrors"
        }
    }

    /// The SVG path of its icon, drawn with strokes in a square of 24.
    var glyph: String {
        switch self {
        case .dashboard:
            "M4 13.5h6.5V4H4zM13.5 20H20v-9.5h-6.5zM4 20h6.5v-3.5H4zM13.5 7.5H20V4h-6.5z"
        case .apps: "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h6v6h-6z"
        case .devices:
            "M8 3h8a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H8a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2zM11 18h2"
        case .profiles: "M12 3l7 3v5.5c0 4.4-3 7.8-7 9.5-4-1.7-7-5.1-7-9.5V6zM9 12l2.2 2.2L15.2 10"
        case .teams:
            "M12 12a4 4 0 1 0-.01 0zM4.5 20.5c.6-3.9 3.6-6 7.5-6s6.9 2.1 7.5 6M17.5 4.5l1.5 1.5 3-3"
        case .activity: "M3 12h4l3-8 4 16 3-8h4"
        case .tokens: "M14.5 9.5a5 5 0 1 0-3.3 4.7L13 16h2v2h2v2h3v-3.2l-6.1-6.1zM8.5 8.5h.01"
        case .notices: "M6 10a6 6 0 0 1 12 0c0 5 2 6.5 2 6.5H4S6 15 6 10zM10 20h4"
        case .mirrors:
            "M7 6v12M7 6a2 2 0 1 0-.01 0zM7 18a2 2 0 1 0 .01 0zM17 8a2 2 0 1 0-.01 0zM17 8c0 5-10 "
                + "3-10 7"
        }
    }
}
