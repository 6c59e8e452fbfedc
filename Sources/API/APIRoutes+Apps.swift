import APIDocuments
import Administration
import SiteServices

extension APIRoutes {
    static let server = APIRoute(ShowServer.self)

    static let apps: [APIRoute] = [
        APIRoute(ListApps.self), APIRoute(ShowApp.self), APIRoute(ChangeApp.self),
        APIRoute(PruneReleases.self),
    ]

    static let releases: [APIRoute] = [
        APIRoute(ListReleases.self), APIRoute(ShowRelease.self), APIRoute(ChangeNotes.self),
        APIRoute(ShowReport.self), APIRoute(ShowVerdicts.self), APIRoute(ShowProvenance.self),
        APIRoute(WithdrawRelease.self), APIRoute(RestoreRelease.self),
        APIRoute(PromoteRelease.self),
    ]

    static let journals: [APIRoute] = [
        APIRoute(ShowActivity.self), APIRoute(ListInstalls.self),
    ]
}
