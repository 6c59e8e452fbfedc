package import Cryptography
package import Notices
import Pages
package import SiteServices
package import Store
package import TeamUpkeep

/// The services that the admin pages use.
package struct AdminServices: Sendable {
    let site: Site
    /// What is wrong with the store.
    let health: StoreHealth
    /// What keeps the server from its certificate.
    let certificateHealth: CertificateHealth
    /// The certificate whose end would keep phones from installing; nil for none.
    let serverCertificate: @Sendable () -> ExpiryTimeline.ServerCertificate?
    /// The proxies and authorities that fetches of mirrors use.
    let surroundings: [String: String]
    /// Who is believed to have signed a profile.
    let profileAnchors: TrustAnchors
    /// What private keys of teams are sealed with; nil where none is named.
    let keyFile: SealingKeyFile?
    /// Opens the developer accounts of teams.
    let accounts: AccountOpener
    /// What becomes of builds that were only checked.
    let checkedBuilds: CheckedBuilds
    /// Secrets that the next page shows, once.
    let secrets = OneTimeSecrets()
    /// The devices of the register, prepared for lists.
    let deviceIndexes = DeviceIndexes()
    /// What the last forms led to.
    let repeated = RepeatedForms()
    /// What the provider is asked about now.
    let exchanges = CodeExchanges()

    /// - Parameters:
    ///   - site: what all audiences share.
    ///   - health: what is wrong with the store.
    ///   - certificateHealth: what keeps the server from its certificate.
    ///   - serverCertificate: the certificate whose end would keep phones from installing.
    ///   - surroundings: the proxies and authorities that fetches of mirrors use.
    ///   - profileAnchors: who is believed to have signed a profile.
    ///   - keyFile: what private keys of teams are sealed with.
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
