import API
import AdminSite
import SiteServices
import TesterSite
import Access
import Cryptography
import Enrolment
import Foundation
import HTTPServing
import HTTPTypes
import HummingbirdCore
import Logging
import Mirrors
import NIOCore
import NIOHTTP1
import NIOPosix
import Pages
import Problems
import Releases
import ServiceLifecycle
import Store
import Synchronization
import UnixSignals

/// Everything of a server wired together in one place.
struct ServerSetup: Sendable {
    let configuration: ServerConfiguration
    let store: OTAStore
    let source: CertificateSource
    let current: CurrentCertificate
    private let hosts: HostNames
    private let otherNames: [String]
    private let accessLog: AccessLog
    let logger: Logger
    private let group = MultiThreadedEventLoopGroup.singleton
    private let executors: LoopExecutors
    private let capabilities: CapabilityAuthority
    private let sessions: SessionAuthority
    private let feed: EventFeed
    let follower: ActivityFollower
    private let uploads: UploadService
    private let tracker: InstallTracker
    private let challenges: ChallengeAuthority
    private let pages: SitePages
    let knownBase: BaseURL?
    private let answers = ResponseCache(.pages)
    private let health = StoreHealth()
    private let profileAnchors: TrustAnchors

    /// As many as one address may have; below that the log says why.
    private static let fewConnections = 1000

    init(_ configuration: ServerConfiguration, store: OTAStore) throws {
        var configuration = configuration
        if let openFiles = configuration.openFiles {
            configuration.limits = configuration.limits.fitting(
                openFiles: openFiles,
                ports: configuration.plainPort == nil ? 1 : 2,
            )
        }
        self.configuration = configuration
        self.store = store
        let sink = configuration.log
        let level = configuration.logLevel
        logger = Logger(label: "ota") { _ in
            LineLogHandler(sink: sink, redaction: .ofSecrets, level: level)
        }
        if configuration.limits.connections < Self.fewConnections {
            logger.warning(
                "the limit of open files bounds the connections",
                metadata: [
                    "files": "\(configuration.openFiles ?? 0)",
                    "connections": "\(configuration.limits.connections)",
                    "fix": "raise the hard limit, such as LimitNOFILE=65536 in the unit of systemd",
                ],
            )
        }
        accessLog = AccessLog(metrics: Metrics(), log: sink, redaction: .ofSecrets)
        executors = LoopExecutors(group)
        capabilities = CapabilityAuthority(
            key: try store.capabilityKey(),
            lifetime: configuration.capabilityLifetime,
        )
        sessions = SessionAuthority(key: try store.sessionKey())
        challenges = ChallengeAuthority(key: try store.enrolmentKey())
        follower = ActivityFollower(
            store: store,
            interval: min(.milliseconds(300), configuration.notices.interval),
        )
        feed = EventFeed(
            following: follower,
            limits: configuration.listeners,
            logger: logger,
        )
        uploads = try UploadService(
            store,
            limits: configuration.uploads,
            clock: configuration.clock,
            logger: logger,
        )
        tracker = InstallTracker(store: store, clock: configuration.clock, logger: logger)
        knownBase = try configuration.baseURL ?? store.settings().baseURL
        profileAnchors = TrustAnchors.apple.adding(try store.anchors() + configuration.anchors)
        let base = try knownBase ?? Self.base(configuration, port: configuration.port)
        let baseHost = HostNames.host(of: base.host) ?? base.host
        otherNames = [baseHost] + configuration.otherHosts
        let names = Set(MachineNames.all() + otherNames).sorted()
        let now = configuration.clock()
        source =
            if let files = configuration.certificate {
                .files(files)
            } else {
                .development(try DevelopmentAuthority.kept(in: store, at: now), store)
            }
        let identity = try source.identity(for: baseHost, names: names, at: now)
        current = try CurrentCertificate(identity)
        hosts = HostNames(names + identity.names)
        pages = try SitePages(
            assets: configuration.assets,
            prefix: base.path,
            isTrustedByAll: source.authority == nil,
        )
    }

    /// The base URL when nobody named one: the first address that a phone could reach.
    static func base(
        _ configuration: ServerConfiguration,
        port: Int,
    ) throws(MalformedBaseURL) -> BaseURL {
        let isAny = ["0.0.0.0", "::", ""].contains(configuration.host)
        let reachable = MachineNames.addresses().first { !$0.hasPrefix("127.") && $0 != "::1" }
        let host = isAny ? reachable ?? "localhost" : configuration.host
        let written = host.contains(":") ? "[\(host)]" : host
        return try BaseURL("https://\(written):\(port == 0 ? 443 : port)")
    }

    // MARK: Running

    func run(
        until stop: StopSignal?,
        onReady: @escaping @Sendable (ServerAddresses) async -> Void,
    ) async throws {
        let failure = StartupFailure()
        let bindings = PortBindings(ports: configuration.plainPort == nil ? 1 : 2) { ports in
            do {
                try await open(ports, onReady)
            } catch {
                failure.end(with: error)
            }
        }
        var services: [ServiceGroupConfiguration.ServiceConfiguration] = [
            .init(service: LogFlushing(sink: configuration.log)),
            .init(
                service: failure.signal,
                successTerminationBehavior: .gracefullyShutdownGroup,
            ),
            .init(service: watch),
            .init(
                service: StoreWatch(
                    store: store,
                    health: health,
                    limits: configuration.scrub,
                    logger: logger,
                )
            ),
            .init(service: notices),
            .init(service: uploads),
            // Stops behind the downloads that it follows.
            .init(service: tracker),
        ]
        if let stop {
            services.append(
                .init(service: stop, successTerminationBehavior: .gracefullyShutdownGroup)
            )
        }
        if let port = configuration.plainPort {
            services.append(.init(service: listener(on: port, secure: false, bindings)))
        }
        // Services stop in reverse order: first the one with the downloads.
        services.append(.init(service: listener(on: configuration.port, secure: true, bindings)))
        if let mirrors { services.append(.init(service: mirrors)) }
        // And before those, the responses that would go on for ever.
        services.append(.init(service: feed))
        var lifecycle = ServiceGroupConfiguration(
            services: services,
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger,
        )
        lifecycle.maximumGracefulShutdownDuration = configuration.limits.shutdownTime
        try await ServiceGroup(configuration: lifecycle).run()
        try failure.check()
    }

    private func open(
        _ ports: PortBindings.Ports,
        _ onReady: @Sendable (ServerAddresses) async -> Void,
    ) async throws {
        let base = try knownBase ?? Self.base(configuration, port: ports.secure)
        let site = Site(
            store: store,
            pages: pages,
            links: Links(base: base),
            sessions: sessions,
            guesses: Guesses(),
            bodies: BodyBudget(
                configuration.bodies.bodiesInMemory,
                ofStrangers: configuration.bodies.bodiesOfStrangers,
            ),
            proxies: configuration.trustedProxies,
            answers: answers,
            executors: executors,
            clock: configuration.clock,
            logger: logger,
        )
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
        ports.responder.open(secure: routes.responder(), plain: routes.plainResponder())
        await onReady(addresses(base, ports))
    }

    private func routes(of site: Site) -> Routes {
        let certificate = expiringCertificate
        return Routes(
            site: site,
            testers: TesterServices(
                site: site,
                installs: InstallServices(
                    capabilities: capabilities,
                    tracker: tracker,
                    metrics: accessLog.metrics,
                    provenAtOnce: configuration.scrub.provenAtOnce,
                ),
                events: EventServices(feed: feed, beat: configuration.eventBeat),
                enrolment: EnrolmentServices(
                    challenges: challenges,
                    deviceAnchors: configuration.deviceAnchors,
                    certificate: current,
                ),
                authority: source.authority,
            ),
            admins: AdminServices(
                site: site,
                health: health,
                serverCertificate: certificate,
                surroundings: configuration.surroundings,
                profileAnchors: profileAnchors,
            ),
            programs: APIServices(site: site, uploads: uploads, profileAnchors: profileAnchors),
            operations: OperationRoutes(site: site, health: health, metrics: accessLog.metrics),
        )
    }

    private func addresses(_ base: BaseURL, _ ports: PortBindings.Ports) -> ServerAddresses {
        let trust: String? =
            if source.authority != nil, let plain = ports.plain {
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

    /// Builds need files, so there are mirrors only where the store is a folder.
    private var mirrors: MirrorService? {
        guard (try? MirrorFolders(of: store)) != nil else { return nil }
        return MirrorService(
            store: store,
            follower: follower,
            surroundings: configuration.surroundings,
            hidden: [configuration.certificate?.key].compactMap(\.self),
            clock: configuration.clock,
            logger: logger,
        )
    }

    private var watch: CertificateWatch {
        CertificateWatch(
            source: source,
            host: otherNames.first ?? "localhost",
            current: current,
            hosts: hosts,
            otherNames: otherNames,
            clock: configuration.clock,
            logger: logger,
        )
    }

    private func listener(on port: Int, secure: Bool, _ bindings: PortBindings) -> any Service {
        let pages = pages
        let responder = bindings.responder
        let accessLog = accessLog
        let proxies = configuration.trustedProxies
        let bodies = configuration.bodies
        let logger = logger
        let connection = PinnedConnection(
            shared: ConnectionContext(
                limits: configuration.limits,
                hosts: hosts,
                answers: secure ? answers : ResponseCache(.pages),
                accessLog: accessLog,
                proxies: proxies,
                shares: ConnectionShares(
                    limit: configuration.limits.connectionsOfOneNetwork,
                    exempt: proxies,
                ),
                bodies: { bodies.policy(for: $0, takesUploads: secure) },
                refusals: { reason, target in
                    if pages.isAPI(target) {
                        return CachedResponse(apiRefusal: reason)
                    }
                    return pages.answer(
                        status: .init(code: Int(reason.status.code)),
                        title: "Request refused",
                        message: PageProblem(reason.problem).text,
                        problem: reason.id,
                        route: "refused",
                    )
                },
            ),
            certificate: secure ? current : nil,
            executors: executors,
            responder: { request, writer, channel in
                try await responder.answer(
                    request,
                    writer,
                    RouteResponder.Origin(
                        channel: channel,
                        isSecure: secure,
                        accessLog: accessLog,
                        proxies: proxies,
                    ),
                    logger,
                )
            },
        )
        let server = connection.server(
            configuration: HummingbirdCore.ServerConfiguration(
                address: .hostname(configuration.host, port: port),
                backlog: 1024,
                availableConnectionsDelegate: MaximumAvailableConnections(
                    configuration.limits.connections
                ),
            ),
            onServerRunning: { channel in
                await bindings.bound(channel.localAddress?.port ?? port, secure: secure)
            },
            eventLoopGroup: group,
            logger: logger,
        )
        return Listener(host: configuration.host, port: port, server: server)
    }
}
