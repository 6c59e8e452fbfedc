package import Cryptography
package import Notices
package import SiteServices
package import Store
package import TeamUpkeep

/// The services that the API uses.
package struct APIServices: Sendable {
    let site: Site
    let uploads: UploadService
    /// The trust anchors for provisioning profiles.
    let profileAnchors: TrustAnchors
    /// The file with the key that seals private keys of teams; nil if none is configured.
    let keyFile: SealingKeyFile?
    /// Accesses the developer accounts of teams.
    let accounts: AccountOpener
    /// Assigns stages of builds to runners.
    let runners: RunnerBoard
    /// The SHA-256 of the runner agent that the server provides; nil if it provides none.
    let runnerAgent: SHA256Digest?
    /// The mail server for e-mail; nil for none.
    let mail: MailServer?
    /// The server's own state.
    let standing: @Sendable () -> ServerStanding?
    /// The files that runners upload.
    let reception = StageReception()

    /// - Parameters:
    ///   - site: the services shared by all parts of the site.
    ///   - uploads: receives builds; runs as a separate service.
    ///   - profileAnchors: the trust anchors for provisioning profiles.
    ///   - keyFile: the file with the key that seals private keys of teams.
    ///   - accounts: accesses the developer accounts of teams.
    ///   - runners: assigns stages of builds to runners; runs as a separate service.
    ///   - runnerAgent: the SHA-256 of the agent for runners.
    ///   - mail: the mail server for e-mail.
    ///   - standing: returns the server's own state.
    package init(
        site: Site,
        uploads: UploadService,
        profileAnchors: TrustAnchors,
        keyFile: SealingKeyFile?,
        accounts: AccountOpener,
        runners: RunnerBoard,
        runnerAgent: SHA256Digest? = nil,
        mail: MailServer? = nil,
        standing: @escaping @Sendable () -> ServerStanding? = { nil },
    ) {
        self.site = site
        self.uploads = uploads
        self.profileAnchors = profileAnchors
        self.keyFile = keyFile
        self.accounts = accounts
        self.runners = runners
        self.runnerAgent = runnerAgent
        self.mail = mail
        self.standing = standing
    }
}
