package import Cryptography
package import Notices
package import SiteServices
package import Store
package import TeamUpkeep

/// The services that the API uses.
package struct APIServices: Sendable {
    let site: Site
    let uploads: UploadService
    /// Who is believed to have signed a profile.
    let profileAnchors: TrustAnchors
    /// What private keys of teams are sealed with; nil where none is named.
    let keyFile: SealingKeyFile?
    /// Opens the developer accounts of teams.
    let accounts: AccountOpener
    /// Gives stages of builds to runners.
    let runners: RunnerBoard
    /// SHA-256 of the agent of runners that the server hands out; nil where it hands out none.
    let runnerAgent: SHA256Digest?
    /// Takes e-mail; nil for none.
    let mail: MailServer?
    /// What the server knows of itself.
    let standing: @Sendable () -> ServerStanding?
    /// The files that runners hand in.
    let reception = StageReception()

    /// - Parameters:
    ///   - site: what all audiences share.
    ///   - uploads: receives builds; it runs as a service of its own.
    ///   - profileAnchors: who is believed to have signed a profile.
    ///   - keyFile: what private keys of teams are sealed with.
    ///   - accounts: opens the developer accounts of teams.
    ///   - runners: gives stages of builds to runners; it runs as a service of its own.
    ///   - runnerAgent: SHA-256 of the agent that runners are given.
    ///   - mail: takes e-mail.
    ///   - standing: what the server knows of itself.
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
