package import HTTPServing
import HTTPTypes
import Pages

/// The routes of the admin pages, and those of signing in and of symbols.
package struct AdminRoutes: Sendable {
    /// Paths are relative to `/admin`.
    typealias Table = RouteTable

    /// The sections of the navigation.
    static let sections: [AdminSection] = [
        .dashboard, .apps, .devices, .profiles, .teams, .activity, .tokens, .notices, .mirrors,
    ]

    let gate: AdminGate

    package init(_ services: AdminServices) {
        gate = AdminGate(services: services)
    }

    package var table: RouteTable {
        (entrance + overview + things + mirrors).map { $0.below("/admin", body: .large) }
            + AdminPeople(gate: gate).table + AdminSymbols(gate: gate).table
    }

    private var entrance: Table {
        let signIn = AdminSignIn(gate: gate)
        return [
            Route("/sign-in", [.get: signIn.form, .post: signIn.signIn]),
            Route("/sign-out", [.post: signIn.signOut]),
            Route("/sign-out-everywhere", [.post: signIn.signOutEverywhere]),
        ]
    }

    private var overview: Table {
        let overview = AdminOverview(gate: gate)
        let activity = AdminActivity(gate: gate)
        let search = AdminSearch(gate: gate)
        return [
            Route("", [.get: overview.page]),
            Route("/attention/{kind}", [.get: overview.attention]),
            Route("/search", [.get: search.page, .post: search.find]),
            Route("/profiles", [.get: overview.profiles]),
            Route("/activity", [.get: activity.page]),
        ] + AdminTokens(gate: gate).table + AdminNotices(gate: gate).table
            + AdminExports(gate: gate).table + AdminTeams(gate: gate).table
            + AdminJobs(gate: gate).table + AdminPublishing(gate: gate).table
            + AdminPeopleSettings(gate: gate).table
    }
}
