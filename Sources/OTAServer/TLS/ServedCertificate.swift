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

/// The server's certificate, its names, and how both stay current.
struct ServedCertificate: Sendable {
    let source: CertificateSource
    /// The certificate of new connections.
    let current: CurrentCertificate
    /// The hosts for which the server answers.
    let hosts: HostNames
    /// The base URL's host and those that an admin configured.
    private let otherNames: [String]
    private let host: String

    /// Obtains certificates from an ACME authority; nil for any other source.
    private let acme: ACMEWatch?
    private let health: CertificateHealth
    private let opened: AsyncStream<Void>.Continuation

    /// Reads the certificate, or issues one under the store's development authority.
    ///
    /// - Parameters:
    ///   - configuration: names the source of the certificate.
    ///   - base: the base URL, whose host the certificate is for.
    ///   - store: the store with the server's own certificates.
    ///   - health: receives the problems that keep the server from getting a certificate.
    ///   - lease: the lease of the server that requests certificates from an ACME authority; nil on the
    ///     others.
    ///   - logger: logs the same problems.
    /// - Throws: ``CertificateProblem``, `ACMEFailure` for a host for which no authority issues a
    ///   certificate, and `StoreFailure` for an authority that cannot be kept.
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

    /// Called when both ports accept connections.
    func portsOpened() {
        opened.finish()
    }

    /// The certificate whose expiry would keep devices from installing.
    var expiring: @Sendable () -> ExpiryTimeline.ServerCertificate? {
        let certificate = self
        return {
            // The server renews the certificates that it issues itself; devices trust its authority.
            if let authority = certificate.authority {
                return ExpiryTimeline.ServerCertificate(authority)
            }
            // A certificate that is renewed automatically only matters if that fails.
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
    /// A certificate that devices see or have to trust.
    fileprivate init(_ certificate: Certificate) {
        self.init(
            name: certificate.alternativeNames.first ?? certificate.subject.commonName ?? "",
            fingerprint: SHA256Digest(of: certificate.der).description,
            begins: certificate.notBefore,
            expires: certificate.notAfter,
        )
    }
}
