package import Cryptography
package import Notices
import Pages
package import SiteServices
package import Store
package import TeamUpkeep

/// The services that the admin pages use.
package struct AdminServices: Sendable {
    let site: Site
    /// The problems of the store.
    let health: StoreHealth
    /// The problem that keeps the server from getting its certificate.
    let certificateHealth: CertificateHealth
    /// The server's certificate, after whose expiry phones cannot install; nil for none.
    let serverCertificate: @Sendable () -> ExpiryTimeline.ServerCertificate?
    /// Environment variables for fetches of mirrors: proxies and certificate authorities.
    let surroundings: [String: String]
    /// The root certificates of profiles' signatures.
    let profileAnchors: TrustAnchors
    /// The key that seals teams' private keys; nil if none is configured.
    let keyFile: SealingKeyFile?
    /// Opens the developer accounts of teams.
    let accounts: AccountOpener
    /// Publishes or drops builds that were only checked.
    let checkedBuilds: CheckedBuilds
    /// Secrets that the next page shows, once.
    let secrets = OneTimeSecrets()
    /// The devices of the register, prepared for lists.
    let deviceIndexes = DeviceIndexes()
    /// The outcomes of recently sent forms.
    let repeated = RepeatedForms()
    /// The code exchanges with the provider that are under way.
    let exchanges = CodeExchanges()

    /// - Parameters:
    ///   - site: the shared services.
    ///   - health: the problems of the store.
    ///   - certificateHealth: the problem that keeps the server from getting its certificate.
    ///   - serverCertificate: the server's certificate, after whose expiry phones cannot install; nil for
    ///     none.
    ///   - surroundings: environment variables for fetches of mirrors: proxies and certificate
    ///     authorities.
    ///   - profileAnchors: the root certificates of profiles' signatures.
    ///   - keyFile: the key that seals teams' private keys; nil if none is configured.
    ///   - accounts: opens the developer accounts of teams.
    ///   - checkedBuilds: publishes or drops builds that were only checked.
    package init(
        site: Site,
        health: StoreHealth,
        certificateHealth: CertificateHealth,
        serverCertificate: @escaping @Sendable () -> ExpiryTimeline.ServerCertificate?,
        surroundings: [String: String],
        profileAnchors: TrustAnchors,
        keyFile: SealingKeyFile?,
        accounts: AccountOpener,
        checkedBuilds: CheckedBuilds,
    ) {
        self.site = site
        self.health = health
        self.certificateHealth = certificateHealth
        self.serverCertificate = serverCertificate
        self.surroundings = surroundings
        self.profileAnchors = profileAnchors
        self.keyFile = keyFile
        self.accounts = accounts
        self.checkedBuilds = checkedBuilds
    }
}
