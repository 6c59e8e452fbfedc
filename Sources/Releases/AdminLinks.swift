package import Identifiers

/// The paths of the admin pages.
///
/// They are paths, not URLs, so that they work under every host name of the server.
package struct AdminLinks: Sendable {
    /// The path under which they all are, such as `/admin`.
    package let root: String

    /// - Parameter base: the base URL of links, whose path is prepended.
    package init(base: BaseURL) {
        root = base.path + "/admin"
    }

    package var signIn: String { root + "/sign-in" }
    package var signOut: String { root + "/sign-out" }
    /// Ends all sessions of the token with which the admin signed in.
    package var signOutEverywhere: String { root + "/sign-out-everywhere" }

    package var dashboard: String { root }
    package var apps: String { root + "/apps" }
    package var devices: String { root + "/devices" }
    package var profiles: String { root + "/profiles" }
    package var activity: String { root + "/activity" }
    package var tokens: String { root + "/tokens" }
    /// The page with the sign-in settings and the sessions of people.
    package var people: String { root + "/people" }
    package var notices: String { root + "/notices" }
    package var teams: String { root + "/teams" }
    package var mirrors: String { root + "/mirrors" }
    package var runners: String { root + "/runners" }
    package var jobs: String { root + "/jobs" }
    /// The page with all entries of one kind that need attention.
    package func attention(_ kind: String) -> String { "\(root)/attention/\(kind)" }
    /// The form that publishes a build.
    package var publish: String { root + "/publish" }

    /// The page with the result of an upload.
    package func upload(_ identifier: String) -> String { publish + "/" + identifier }

    /// The CSV export of all devices.
    package var exportedDevices: String { root + "/export/devices.csv" }

    /// The CSV export of a year's installs; of one app if given.
    package func exportedInstalls(of app: Slug?) -> String {
        root + "/export/installs.csv" + (app.map { "?app=\($0)" } ?? "")
    }

    /// The CSV export of an app's feedback.
    package func exportedFeedback(of app: Slug) -> String {
        root + "/export/feedback.csv?app=\(app)"
    }

    package func app(_ slug: Slug) -> String { "\(apps)/\(slug)" }

    package func release(_ release: ReleaseIdentifier, of slug: Slug) -> String {
        "\(app(slug))/\(InstallLink.percentEncoded(release.rawValue))"
    }

    /// The page of a device, given its reference, never its UDID.
    package func device(_ reference: String) -> String { "\(devices)/\(reference)" }

    /// The page of a token, given its eight-digit identifier.
    package func token(_ identifier: String) -> String { "\(tokens)/\(identifier)" }

    /// The page of a team, given Apple's identifier.
    package func team(_ identifier: String) -> String { "\(teams)/\(identifier)" }

    /// The page of a job, given its identifier.
    package func job(_ identifier: String) -> String { "\(jobs)/\(identifier)" }

    package func runner(_ name: Slug) -> String { "\(runners)/\(name)" }

    package func mirror(_ name: Slug) -> String { "\(mirrors)/\(name)" }
    package func sync(_ name: Slug) -> String { "\(mirror(name))/sync" }
    package func builds(of name: Slug) -> String { "\(mirror(name))/builds" }

    package func build(_ number: Int, of name: Slug) -> String {
        "\(builds(of: name))/\(number)"
    }

    /// A file that a build produced, by its number from 1.
    package func file(_ place: Int, ofBuild number: Int, of name: Slug) -> String {
        "\(build(number, of: name))/files/\(place)"
    }

    package func cancel(_ number: Int, of name: Slug) -> String {
        "\(build(number, of: name))/cancel"
    }

    /// The page of a webhook, given its eight-digit identifier.
    package func webhook(_ identifier: String) -> String { "\(notices)/\(identifier)" }

    /// The sign-in page that redirects to another of these pages.
    package func signIn(leadingTo path: String) -> String {
        path == dashboard ? signIn : signIn + "?to=" + InstallLink.percentEncoded(path)
    }

    /// One page of the activity, of one app only or as filtered.
    package func activity(
        of app: Slug?,
        matching filter: ActivityFilter = ActivityFilter(),
        page: Int = 1,
    ) -> String {
        var query = Self.query(of: app, matching: filter)
        if page > 1 { query.append("page=\(page)") }
        return activity + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }

    /// The CSV export of activity of a year, or since a filter's first day; of one app only or as filtered.
    package func exportedActivity(
        of app: Slug? = nil,
        matching filter: ActivityFilter = ActivityFilter(),
    ) -> String {
        let query = Self.query(of: app, matching: filter)
        let file = root + "/export/activity.csv"
        return file + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }

    private static func query(of app: Slug?, matching filter: ActivityFilter) -> [String] {
        var query: [String] = []
        if let app { query.append("app=\(app)") }
        if let actor = filter.actor { query.append("actor=\(InstallLink.percentEncoded(actor))") }
        if let kind = filter.kind { query.append("kind=\(kind.rawValue)") }
        if let from = filter.from { query.append("from=\(from)") }
        if let to = filter.to { query.append("to=\(to)") }
        return query
    }
}
