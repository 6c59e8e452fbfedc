package import Cryptography
package import SiteServices
package import Store

/// The services that the API uses.
package struct APIServices: Sendable {
    let site: Site
    let uploads: UploadService
    /// Who is believed to have signed a profile.
    let profileAnchors: TrustAnchors
    /// What private keys of teams are sealed with; nil where none is named.
    let keyFile: SealingKeyFile?

    /// - Parameters:
    ///   - site: what all audiences share.
    ///   - uploads: receives builds; it runs as a service of its own.
    ///   - profileAnchors: who is believed to have signed a profile.
    ///   - keyFile: what private keys of teams are sealed with.
    package init(
        site: Site,
        uploads: UploadService,
        profileAnchors: TrustAnchors,
        keyFile: SealingKeyFile?,
    ) {
        self.site = site
        self.uploads = uploads
        self.profileAnchors = profileAnchors
        self.keyFile = keyFile
    }
}
