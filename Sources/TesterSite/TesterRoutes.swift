package import HTTPServing
import HTTPTypes
import SiteServices

/// Every address for testers, and what answers there.
package struct TesterRoutes: Sendable {
    private let pages: PageRoutes
    private let install: InstallRoutes
    private let enrol: EnrolRoutes
    private let events: EventRoutes
    private let trust: TrustRoutes
    private let publicFiles: [String]

    package init(_ services: TesterServices) {
        let site = services.site
        let references = services.references
        pages = PageRoutes(site: site, installs: services.installs, references: references)
        install = InstallRoutes(site: site, installs: services.installs, references: references)
        enrol = EnrolRoutes(site: site, enrolment: services.enrolment, references: references)
        events = EventRoutes(
            site: site,
            services: services.events,
            tracker: services.installs.tracker,
            references: references,
        )
        trust = TrustRoutes(site: site, authority: services.authority)
        publicFiles = site.pages.publicAnswers.keys.sorted()
    }

    /// The addresses of the TLS port.
    package var table: RouteTable {
        browsing + enrolling + [
            ("/install/{capability}/{file}", [.get: install.file]),
            ("/events", [.get: events.events]),
        ] + trusting + files
    }

    /// The addresses of the plain port: a phone must be able to fetch the authority before it can
    /// trust anything, and everything else belongs to TLS.
    package var plainTable: RouteTable {
        trusting + files + [
            ("/help", [.get: pages.help]), ("/", [.get: trust.redirect]),
            ("/**", [.get: trust.redirect]),
        ]
    }

    private var browsing: RouteTable {
        [
            ("/", [.get: pages.start]),
            ("/help", [.get: pages.help]),
            ("/apps/{slug}", [.get: pages.app, .post: pages.enter]),
            ("/apps/{slug}/history", [.get: pages.history, .post: pages.enter]),
            ("/apps/{slug}/icon.png", [.get: pages.icon]),
            ("/apps/{slug}/qr.svg", [.get: pages.code]),
            ("/apps/{slug}/{release}", [.get: pages.release, .post: pages.enter]),
            ("/apps/{slug}/{release}/icon.png", [.get: pages.releaseIcon]),
        ]
    }

    private var enrolling: RouteTable {
        [
            ("/enrol", [.get: enrol.form, .post: enrol.typed]),
            ("/enrol/{token}", [.get: enrol.invitation, .post: enrol.answer]),
            ("/enrol/{token}/profile.mobileconfig", [.get: enrol.profile]),
            ("/enrolled/{result}", [.get: enrol.result]),
        ]
    }

    private var trusting: RouteTable {
        [
            ("/trust", [.get: trust.page]),
            ("/trust/authority.mobileconfig", [.get: trust.profile]),
            ("/trust/authority.pem", [.get: trust.certificate]),
        ]
    }

    private var files: RouteTable { publicFiles.map { ($0, [.get: pages.file]) } }
}
