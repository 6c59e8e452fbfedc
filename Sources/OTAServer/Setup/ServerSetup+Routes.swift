import ACME
import API
import AdminSite
import HTTPServing
import Pages
import Releases
import SiteServices
import Store
import TesterSite

/// The services behind the routes.
extension ServerSetup {
    /// Creates the routes, once every port is known, and starts answering requests.
    func open(
        _ ports: PortBindings.Ports,
        _ onReady: @Sendable (ServerAddresses) async -> Void,
    ) async throws {
        let base = try knownBase ?? configuration.base(port: ports.secure)
        let site = site(below: base)
        uploads.open(
            UploadPublishing(
                store: store,
                links: site.links,
                capabilities: capabilities,
                clock: configuration.clock,
                logger: logger,
                program: configuration.program,
            )
        )
        for (path, answer) in pages.publicAnswers { answers.keepForGood(answer, for: path) }
        let routes = routes(of: site)
        ports.responder.open(secure: routes.secure, plain: routes.plain)
        certificate.portsOpened()
        await onReady(addresses(base, ports))
    }

    private func site(below base: BaseURL) -> Site {
        Site(
            store: store,
            pages: pages,
            links: Links(base: base),
            sessions: sessions,
            guesses: Guesses(in: store),
            bodies: BodyBudget(
                configuration.bodies.bodiesInMemory,
                ofStrangers: configuration.bodies.bodiesOfStrangers,
                ofOneNetwork: configuration.bodies.bodiesOfNetwork,
            ),
            proxies: configuration.trustedProxies,
            answers: answers,
            executors: executors,
            clock: configuration.clock,
            logger: logger,
            transport: providers,
        )
    }

    private func routes(of site: Site) -> Routes {
        Routes(
            site: site,
            bodies: configuration.bodies,
            testers: TesterServices(
                site: site,
                installs: InstallServices(
                    capabilities: capabilities,
                    tracker: tracker,
                    metrics: accessLog.metrics,
                    provenAtOnce: configuration.scrub.provenAtOnce,
                    downloads: configuration.downloads,
                ),
                events: EventServices(
                    feed: feed,
                    look: configuration.eventLook,
                ),
                enrolment: EnrolmentServices(
                    challenges: challenges,
                    deviceAnchors: configuration.deviceAnchors,
                    certificate: certificate.current,
                    store: store,
                ),
                authority: { [certificate] in certificate.authority },
            ),
            admins: AdminServices(
                site: site,
                health: health,
                certificateHealth: certificateHealth,
                serverCertificate: certificate.expiring,
                surroundings: configuration.surroundings,
                profileAnchors: profileAnchors,
                keyFile: configuration.keyFile,
                accounts: accounts,
                checkedBuilds: CheckedBuilds(
                    list: { [uploads] in uploads.checked(by: $0) },
                    publish: { [uploads] in try uploads.publish($0, by: $1) },
                    drop: { [uploads] in try uploads.drop($0, by: $1) },
                ),
            ),
            programs: APIServices(
                site: site,
                uploads: uploads,
                profileAnchors: profileAnchors,
                keyFile: configuration.keyFile,
                accounts: accounts,
                runners: runners,
                runnerAgent: AgentFile.sha256,
                mail: configuration.notices.mail,
                standing: { [health, certificateHealth] in
                    ServerStanding(health, certificateHealth)
                },
            ),
            operations: OperationRoutes(
                site: site,
                health: health,
                certificateHealth: certificateHealth,
                metrics: accessLog.metrics,
                readiness: readiness,
            ),
            keeper: configuration.acme.map { ACMEKeeper(store, for: $0.directory) },
        )
    }

    private func addresses(_ base: BaseURL, _ ports: PortBindings.Ports) -> ServerAddresses {
        let trust: String? =
            if certificate.authority != nil, let plain = ports.plain {
                "http://\(base.host):\(plain)/trust"
            } else {
                nil
            }
        return ServerAddresses(
            baseURL: base,
            port: ports.secure,
            plainPort: ports.plain,
            trustURL: trust,
        )
    }
}
