package import HTTPServing
import HTTPTypes
import Pages

/// Every address below `/admin`, and what answers there.
package struct AdminRoutes: Sendable {
    /// Paths without `/admin`.
    typealias Table = RouteTable

    /// The sections that there are pages for.
    static let sections: [AdminSection] = [
        .dashboard, .apps, .devices, .profiles, .activity, .tokens, .notices, .mirrors,
    ]

    let gate: AdminGate

    package init(_ services: AdminServices) {
        gate = AdminGate(services: services)
    }

    package var table: RouteTable {
        (entrance + overview + things + mirrors).map { ("/admin" + $0.path, $0.handlers) }
    }

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
