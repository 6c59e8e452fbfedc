import Cryptography
import Foundation
import HTTPServing
import Notices
import Releases

extension ServerSetup {
    /// The service that tells webhooks what happens.
    ///
    /// Only one server has a store at a time, by its lease on it, so only one sends.
    var notices: NoticeService {
        let options = configuration.notices
        let links = links
        var dependencies = NoticeService.Dependencies(clock: configuration.clock)
        dependencies.links = { links }
        dependencies.serverCertificate = expiringCertificate
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
            ),
            logger: logger,
        )
    }

    /// The certificate whose end would keep phones from installing.
    var expiringCertificate: @Sendable () -> ExpiryTimeline.ServerCertificate? {
        let current = current
        let authority = source.authority
        return {
            // What the server makes itself it also renews; its authority is what phones trust.
            (authority ?? current.certificate).map(ExpiryTimeline.ServerCertificate.init)
        }
    }

    /// Nil while only the port that will be had decides.
    private var links: Links? {
        if let knownBase { return Links(base: knownBase) }
        guard configuration.port != 0 else { return nil }
        return (try? Self.base(configuration, port: configuration.port)).map { Links(base: $0) }
    }
}

extension ExpiryTimeline.ServerCertificate {
    /// What phones see of the server, or trust for its sake.
    init(_ certificate: Certificate) {
        self.init(
            name: certificate.alternativeNames.first ?? certificate.subject.commonName ?? "",
            fingerprint: SHA256Digest(of: certificate.der).description,
            begins: certificate.notBefore,
            expires: certificate.notAfter,
        )
    }
}
