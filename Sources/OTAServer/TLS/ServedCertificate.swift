import Cryptography
import Foundation
import HTTPServing
import Logging
import Notices
import Releases
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

    /// Reads the certificate, or makes one that the store's development authority vouches for.
    ///
    /// - Throws: ``CertificateProblem``, and `StoreFailure` for an authority that cannot be kept.
    init(_ configuration: ServerConfiguration, for base: BaseURL, in store: OTAStore) throws {
        host = HostNames.host(of: base.host) ?? base.host
        otherNames = [host] + configuration.otherHosts
        let names = Set(MachineNames.all() + otherNames).sorted()
        let now = configuration.clock()
        source =
            if let files = configuration.certificate {
                .files(files)
            } else {
                .development(try DevelopmentAuthority.kept(in: store, at: now), store)
            }
        let identity = try source.identity(for: host, names: names, at: now)
        current = try CurrentCertificate(identity)
        hosts = HostNames(names + identity.names)
    }

    /// The development authority, when the server uses one.
    var authority: Certificate? { source.authority }

    /// The certificate whose end would keep phones from installing.
    var expiring: @Sendable () -> ExpiryTimeline.ServerCertificate? {
        let (current, authority) = (current, authority)
        return {
            // What the server makes itself it also renews; its authority is what phones trust.
            (authority ?? current.certificate).map(ExpiryTimeline.ServerCertificate.init)
        }
    }

    /// The service that replaces the certificate while the server runs.
    func watch(_ clock: @escaping @Sendable () -> Date, _ logger: Logger) -> CertificateWatch {
        CertificateWatch(
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
