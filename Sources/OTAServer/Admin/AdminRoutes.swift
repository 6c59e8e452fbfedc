import HTTPTypes
import Pages

/// Every address below `/admin`, and what answers there.
struct AdminRoutes: Sendable {
    typealias Table = [(path: String, handlers: [HTTPRequest.Method: Routes.Handler])]

    /// The sections that there are pages for.
    static let sections: [AdminSection] = [
        .dashboard, .apps, .devices, .profiles, .activity, .tokens, .notices, .mirrors,
    ]

    let gate: AdminGate

    init(site: Site) {
        gate = AdminGate(site: site)
    }

    var site: Site { gate.site }

    /// Paths without `/admin`.
    var table: Table { entrance + overview + things + mirrors }

    private var entrance: Table {
        let signIn = AdminSignIn(gate: gate)
        return [
            ("/sign-in", [.get: signIn.form, .post: signIn.signIn]),
            ("/sign-out", [.post: signIn.signOut]),
            ("/sign-out-everywhere", [.post: signIn.signOutEverywhere]),
        ]
    }

    private var overview: Table {
        let overview = AdminOverview(gate: gate)
        let activity = AdminActivity(gate: gate)
        let tokens = AdminTokens(gate: gate)
        return [
            ("", [.get: overview.page]),
            ("/profiles", [.get: overview.profiles]),
            ("/activity", [.get: activity.page]),
            ("/tokens", [.get: tokens.page, .post: tokens.create]),
            ("/tokens/{token}/revoke", [.post: tokens.revoke]),
        ] + AdminNotices(gate: gate).table
    }
}
