import API
import Access
import AppleDeveloper
import Cryptography
import Enrolment
import HTTPCalling
import HTTPServing
import Logging
import NIOPosix
import Releases
import SiteServices
import Store
import TeamUpkeep
import TesterSite

/// Assembles a server from its configuration.
struct ServerSetup: Sendable {
    let configuration: ServerConfiguration
    let store: OTAStore
    let certificate: ServedCertificate
    let accessLog: AccessLog
    let logger: Logger
    let group = MultiThreadedEventLoopGroup.singleton
    let executors: LoopExecutors
    let capabilities: CapabilityAuthority
    let sessions: SessionAuthority
    let feed: EventFeed
    let follower: ActivityFollower
    let uploads: UploadService
    let tracker: InstallTracker
    let challenges: ChallengeAuthority
    let pages: SitePages
    let knownBase: BaseURL?
    let answers: ResponseCache
    let health = StoreHealth()
    let certificateHealth = CertificateHealth()
    let profileAnchors: TrustAnchors
    /// Opens the developer accounts of teams, for requests of admins and for jobs.
    let accounts: AccountOpener
    /// Sends requests to identity providers.
    let providers: any CallTransport
    /// Assigns stages of builds to runners.
    let runners: RunnerBoard
    let readiness: Readiness
    let outages: OutageWatch

    /// The number of connections that one address may have; if there are fewer in total, the log says why.
    private static let fewConnections = 1000

    /// The work that is done once, however many servers share the store.
    var duties: Duties { readiness.duties }

    init(
        _ configuration: ServerConfiguration,
        store: OTAStore,
        as lease: (any ServerLease)?,
        _ following: (any ChangeFollowing)?,
    ) throws {
        var configuration = configuration
        if let openFiles = configuration.openFiles {
            configuration.limits = configuration.limits.fitting(
                openFiles: openFiles,
                ports: configuration.plainPort == nil ? 1 : 2,
            )
        }
        self.configuration = configuration
        self.store = store
        answers = configuration.answers
        let sink = configuration.log
        let level = configuration.logLevel
        logger = Logger(label: "ota") { _ in
            LineLogHandler(sink: sink, redaction: .ofSecrets, level: level)
        }
        if configuration.limits.connections < Self.fewConnections {
            logger.warning(
                "the limit of open files limits the number of connections",
                metadata: [
                    "files": "\(configuration.openFiles ?? 0)",
                    "connections": "\(configuration.limits.connections)",
                    "fix": "raise the hard limit, such as LimitNOFILE=65536 in the unit of systemd",
                ],
            )
        }
        readiness = Readiness(
            following,
            Duties(store, as: lease, logger: logger),
            drainTime: configuration.drainTime,
        )
        outages = OutageWatch(following, logger: logger)
        accessLog = AccessLog(metrics: Metrics(prefix: "ota"), log: sink, redaction: .ofSecrets)
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
            beat: configuration.eventBeat,
            logger: logger,
        )
        uploads = try UploadService(
            store,
            limits: configuration.uploads,
            clock: configuration.clock,
            logger: logger,
        )
        runners = RunnerBoard(
            store,
            follower: follower,
            leaseLife: configuration.leaseLife,
            clock: configuration.clock,
            logger: logger,
        )
        tracker = InstallTracker(store: store, clock: configuration.clock, logger: logger)
        knownBase = try configuration.baseURL ?? store.settings().baseURL
        profileAnchors = TrustAnchors.apple.adding(try store.anchors() + configuration.anchors)
        accounts = AccountOpener(
            store,
            openingWith: configuration.keyFile,
            at: configuration.apple.endpoint,
            through: try configuration.apple.transport(),
            timing: .real(configuration.clock),
        )
        providers = try configuration.providers ?? CallClient(connecting: 5)
        do {
            // A process may have ended after replacing a secret and before removing the replaced one.
            try store.forgetReplacedSecrets()
        } catch {
            logger.error(
                "replaced secrets of teams could not be removed",
                metadata: ["reason": "\(error)"],
            )
        }
        let base = try knownBase ?? configuration.base(port: configuration.port)
        certificate = try ServedCertificate(
            configuration,
            for: base,
            in: store,
            health: certificateHealth,
            under: { [readiness] in readiness.duties.lease },
            logger: logger,
        )
        pages = try SitePages(
            assets: configuration.assets,
            prefix: base.path,
            isTrustedByAll: certificate.authority == nil,
        )
    }
}
