import ACME
import Cryptography
import Foundation
import HTTPCalling
import HTTPServing
import Logging
import Notices
import Releases
import ServiceLifecycle
import SiteServices
import Store

/// The certificate that a server shows, the names that it is for, and how both stay current.
struct ServedCertificate: Sendable {
    let source: CertificateSource
    /// What connections get.
    let current: CurrentCertificate
    /// The hosts that the server answers for.
    let hosts: HostNames
    /// The base URL's host and those that an admin named.
    private let otherNames: [String]
    private let host: String

    /// Gets certificates from an authority; nil for any other source.
    private let acme: ACMEWatch?
    private let health: CertificateHealth
    private let opened: AsyncStream<Void>.Continuation

    /// Reads the certificate, or makes one that the store's development authority vouches for.
    ///
    /// - Parameters:
    ///   - configuration: says where the certificate comes from.
    ///   - base: whose host it is for.
    ///   - store: where the server's own certificates are kept.
    ///   - health: learns what keeps the server from a certificate.
    ///   - lease: says whether this server, of those on the store, asks an authority.
    ///   - logger: the same as `health`.
    /// - Throws: ``CertificateProblem``, `ACMEFailure` for a host that no authority gives a certificate
    ///   to, and `StoreFailure` for an authority that cannot be kept.
    init(
        _ configuration: ServerConfiguration,
        for base: BaseURL,
        in store: OTAStore,
        health: CertificateHealth,
        under lease: @escaping @Sendable () -> (any WorkLease)?,
        logger: Logger,
    ) throws {
        host = HostNames.host(of: base.host) ?? base.host
        otherNames = [host] + configuration.otherHosts
        self.health = health
        let names = Set(MachineNames.all() + otherNames).sorted()
        let issued = CertificateUpkeep.names(among: otherNames)
        let now = configuration.clock()
        source =
            if let files = configuration.certificate {
                .files(files)
            } else if let settings = configuration.acme {
                .acme(settings, try DevelopmentAuthority.kept(in: store, at: now), store)
            } else {
                .development(try DevelopmentAuthority.kept(in: store, at: now), store)
            }
        if case .acme = source, !issued.contains(host) { throw ACMEFailure.unusableHost(host) }
        let identity = try source.identity(for: host, names: names, at: now)
        current = try CurrentCertificate(identity)
        hosts = HostNames(names + identity.names)
        let (opened, ports) = AsyncStream.makeStream(of: Void.self)
        self.opened = ports
        guard case .acme(let settings, let authority, _) = source else {
            acme = nil
            return
        }
        let isDevelopment = identity.chain.last == authority.certificate
        let news = ACMENews(
            settings: settings,
            names: issued,
            otherNames: names,
            current: current,
            hosts: hosts,
            health: health,
            logger: logger,
        )
        if isDevelopment { news.begin() }
        acme = ACMEWatch(
            upkeep: CertificateUpkeep(
                settings,
                for: issued,
                in: store,
                proofs: ACMEProofs(
                    over: current.challenges,
                    hasPlainPort: configuration.plainPort != nil,
                ),
                through: try settings.connection(),
                timing: .real(configuration.clock),
                using: isDevelopment ? nil : identity,
                under: lease,
                tell: news.take,
            ),
            look: settings.look,
            opened: opened,
            clock: configuration.clock,
        )
    }

    /// The development authority, while one of its certificates is in use.
    var authority: Certificate? {
        guard let authority = source.authority else { return nil }
        return current.identity.chain.last == authority ? authority : nil
    }

    /// Both ports answer now.
    func portsOpened() {
        opened.finish()
    }

    /// The certificate whose end would keep phones from installing.
    var expiring: @Sendable () -> ExpiryTimeline.ServerCertificate? {
        let certificate = self
        return {
            // What the server makes itself it also renews; its authority is what phones trust.
            if let authority = certificate.authority {
                return ExpiryTimeline.ServerCertificate(authority)
            }
            // One that renews itself is no one's concern, unless that fails.
            guard certificate.acme == nil || certificate.health.trouble != nil else { return nil }
            return certificate.current.certificate.map(ExpiryTimeline.ServerCertificate.init)
        }
    }

    /// The service that replaces the certificate while the server runs.
    func watch(
        _ clock: @escaping @Sendable () -> Date,
        _ logger: Logger,
    ) -> any Service {
        acme
            ?? CertificateWatch(
                source: source,
                host: host,
                current: current,
                hosts: hosts,
                otherNames: otherNames,
                clock: clock,
                logger: logger,
            )
    }
}

extension ExpiryTimeline.ServerCertificate {
    /// What phones see of the server, or trust for its sake.
    fileprivate init(_ certificate: Certificate) {
        self.init(
            name: certificate.alternativeNames.first ?? certificate.subject.commonName ?? "",
            fingerprint: SHA256Digest(of: certificate.der).description,
            begins: certificate.notBefore,
            expires: certificate.notAfter,
        )
    }
}
