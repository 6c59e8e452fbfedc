import APIDocuments
package import HTTPServing
import HTTPTypes
import SiteServices

/// The route table for testers.
package struct TesterRoutes: Sendable {
    private let pages: PageRoutes
    private let install: InstallRoutes
    private let enrol: EnrolRoutes
    private let groups: OwnGroupRoutes
    private let events: EventRoutes
    private let trust: TrustRoutes
    private let updates: UpdateRoutes
    private let feedback: FeedbackRoutes
    private let testers: TesterSignIn
    private let publicFiles: [String]

    package init(_ services: TesterServices) {
        let site = services.site
        let references = services.references
        let progress = services.progress
        pages = PageRoutes(
            site: site,
            installs: services.installs,
            references: references,
            progress: progress,
        )
        install = InstallRoutes(site: site, installs: services.installs, references: references)
        enrol = EnrolRoutes(
            site: site,
            enrolment: services.enrolment,
            references: references,
            progress: progress,
        )
        groups = OwnGroupRoutes(site: site, references: references)
        events = EventRoutes(
            site: site,
            services: services.events,
            tracker: services.installs.tracker,
            references: references,
            progress: progress,
        )
        trust = TrustRoutes(site: site, authority: services.authority)
        updates = UpdateRoutes(
            site: site,
            installs: services.installs,
            references: references,
        )
        feedback = FeedbackRoutes(
            site: site,
            references: references,
            limits: services.feedback,
        )
        testers = TesterSignIn(site: site)
        publicFiles = site.pages.publicAnswers.keys.sorted()
    }

    /// The routes of the TLS port.
    package var table: RouteTable {
        browsing + enrolling + [
            Route("/install/{capability}/{file}", [.get: install.file]),
            Route("/events", [.get: events.events]),
            Route(UpdateDocument.path, [.get: updates.update]),
            Route(PeopleLinks.testerStart, [.get: testers.begin]),
            Route(PeopleLinks.testerEnd, [.post: testers.signOut]),
        ] + trusting + files
    }

    /// The routes of the plain port: phones must be able to download the authority before they can trust
    /// the server; everything else redirects to TLS.
    package var plainTable: RouteTable {
        trusting + files + [
            Route("/help", [.get: pages.help]), Route("/", [.get: trust.redirect]),
            Route("/language", [.get: trust.redirect, .post: pages.language]),
            Route("/**", [.get: trust.redirect]),
        ]
    }

    private var browsing: RouteTable {
        [
            Route("/", [.get: pages.start]),
            Route("/help", [.get: pages.help]),
            Route("/language", [.post: pages.language]),
            Route("/apps/{slug}", [.get: pages.app, .post: pages.enter]),
            Route("/apps/{slug}/history", [.get: pages.history, .post: pages.enter]),
            Route("/apps/{slug}/icon.png", [.get: pages.icon]),
            Route("/apps/{slug}/qr.svg", [.get: pages.code]),
            Route("/apps/{slug}/{release}/qr.svg", [.get: pages.releaseCode]),
            Route("/apps/{slug}/{release}", [.get: pages.release, .post: pages.enter]),
            Route("/apps/{slug}/{release}/icon.png", [.get: pages.releaseIcon]),
            Route(
                "/apps/{slug}/{release}/feedback",
                [.get: feedback.form, .post: feedback.send],
            ),
        ]
    }

    private var enrolling: RouteTable {
        [
            Route("/enrol", [.get: enrol.form, .post: enrol.typed]),
            Route("/enrol/{token}", [.get: enrol.invitation, .post: enrol.answer]),
            Route("/enrol/{token}/profile.mobileconfig", [.get: enrol.profile]),
            Route("/enrol/{token}/poster", [.get: enrol.poster]),
            Route("/groups", [.get: groups.list]),
            Route("/groups/leave", [.post: groups.leave]),
            Route("/enrolled/{result}", [.get: enrol.result]),
        ]
    }

    private var trusting: RouteTable {
        [
            Route("/trust", [.get: trust.page]),
            Route("/trust/authority.mobileconfig", [.get: trust.profile]),
            Route("/trust/authority.pem", [.get: trust.certificate]),
        ]
    }

    private var files: RouteTable { publicFiles.map { Route($0, [.get: pages.file]) } }
}
