package import Identifiers

/// The addresses of the admin's pages: paths, so that they hold under whichever of the server's
/// names the pages are open.
package struct AdminLinks: Sendable {
    /// Where all of them begin, such as `/admin`.
    package let root: String

    /// - Parameter base: what links are made of; a path of it stands in front.
    package init(base: BaseURL) {
        root = base.path + "/admin"
    }

    package var signIn: String { root + "/sign-in" }
    package var signOut: String { root + "/sign-out" }
    /// Ends every session of the token that is signed in.
    package var signOutEverywhere: String { root + "/sign-out-everywhere" }

    package var dashboard: String { root }
    package var apps: String { root + "/apps" }
    package var devices: String { root + "/devices" }
    package var profiles: String { root + "/profiles" }
    package var activity: String { root + "/activity" }
    package var tokens: String { root + "/tokens" }
    /// How people sign in at a provider, and who is signed in.
    package var people: String { root + "/people" }
    package var notices: String { root + "/notices" }
    package var teams: String { root + "/teams" }
    package var mirrors: String { root + "/mirrors" }
    package var runners: String { root + "/runners" }
    package var jobs: String { root + "/jobs" }
    /// Everything of one kind that needs attention.
    package func attention(_ kind: String) -> String { "\(root)/attention/\(kind)" }
    /// The form that publishes a build.
    package var publish: String { root + "/publish" }

    /// What became of an upload, by its identifier.
    package func upload(_ identifier: String) -> String { publish + "/" + identifier }

    /// Every device, as a file.
    package var exportedDevices: String { root + "/export/devices.csv" }

    /// The installs of a year, as a file; of one app only where there is one.
    package func exportedInstalls(of app: Slug?) -> String {
        root + "/export/installs.csv" + (app.map { "?app=\($0)" } ?? "")
    }

    /// What testers said of an app, as a file.
    package func exportedFeedback(of app: Slug) -> String {
        root + "/export/feedback.csv?app=\(app)"
    }

    package func app(_ slug: Slug) -> String { "\(apps)/\(slug)" }

    package func release(_ release: ReleaseIdentifier, of slug: Slug) -> String {
        "\(app(slug))/\(InstallLink.percentEncoded(release.rawValue))"
    }

    /// One device, by what stands for it in addresses; never its identifier.
    package func device(_ reference: String) -> String { "\(devices)/\(reference)" }

    /// One token, by the eight digits that find it.
    package func token(_ identifier: String) -> String { "\(tokens)/\(identifier)" }

    /// One team, by Apple's identifier.
    package func team(_ identifier: String) -> String { "\(teams)/\(identifier)" }

    /// One job, by its identifier.
    package func job(_ identifier: String) -> String { "\(jobs)/\(identifier)" }

    package func runner(_ name: Slug) -> String { "\(runners)/\(name)" }

    package func mirror(_ name: Slug) -> String { "\(mirrors)/\(name)" }
    package func sync(_ name: Slug) -> String { "\(mirror(name))/sync" }
    package func builds(of name: Slug) -> String { "\(mirror(name))/builds" }

    package func build(_ number: Int, of name: Slug) -> String {
        "\(builds(of: name))/\(number)"
    }

    /// A file that a build has made, counted from one.
    package func file(_ place: Int, ofBuild number: Int, of name: Slug) -> String {
        "\(build(number, of: name))/files/\(place)"
    }

    package func cancel(_ number: Int, of name: Slug) -> String {
        "\(build(number, of: name))/cancel"
    }

    /// A file that a build made and that was kept, by its place in the build's list.
    package func file(_ index: Int, of number: Int, _ name: Slug) -> String {
        "\(build(number, of: name))/files/\(index)"
    }

    /// One webhook, by its eight digits.
    package func webhook(_ identifier: String) -> String { "\(notices)/\(identifier)" }

    /// The sign-in page that leads on to another of these.
    package func signIn(leadingTo path: String) -> String {
        path == dashboard ? signIn : signIn + "?to=" + InstallLink.percentEncoded(path)
    }

    /// What happened, of one app only or of what else a filter says, a page at a time.
    package func activity(
        of app: Slug?,
        matching filter: ActivityFilter = ActivityFilter(),
        page: Int = 1,
    ) -> String {
        var query = Self.query(of: app, matching: filter)
        if page > 1 { query.append("page=\(page)") }
        return activity + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }

    /// What happened in a year or since a filter's first day, as a file; of one app only or of what
    /// else the filter says.
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
