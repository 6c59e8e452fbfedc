package import HTTPServing
import HTTPTypes
import Pages

/// The route table below `/admin`.
package struct AdminRoutes: Sendable {
    /// Paths without `/admin`.
    typealias Table = RouteTable

    /// The sections that there are pages for.
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
