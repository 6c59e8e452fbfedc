import Notices
import Releases
import SiteServices

extension ServerSetup {
    /// The service that sends notices to webhooks.
    ///
    /// Only one of the servers that share a store sends: the leader.
    var notices: NoticeService {
        let options = configuration.notices
        let links = links
        var dependencies = NoticeService.Dependencies(clock: configuration.clock)
        dependencies.links = { links }
        dependencies.serverCertificate = certificate.expiring
        let health = health
        dependencies.damage = { StoreDamage(health.problems, isComplete: health.isComplete) }
        let duties = duties
        dependencies.lease = { duties.lease }
        dependencies.interval = options.interval
        dependencies.settling = options.settling
        return NoticeService(
            store: store,
            follower: follower,
            dependencies: dependencies,
            policy: options.policy,
            sender: WebhookSender(
                policy: options.policy,
                resolver: options.resolver,
                clock: configuration.clock,
                mail: options.mail,
            ),
            logger: logger,
        )
    }

    /// Nil if the base URL depends on a port that is not bound yet.
    private var links: Links? {
        if let knownBase { return Links(base: knownBase) }
        guard configuration.port != 0 else { return nil }
        return (try? configuration.base(port: configuration.port)).map { Links(base: $0) }
    }
}
