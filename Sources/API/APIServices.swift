package import Cryptography
package import SiteServices

/// The services that the API uses.
package struct APIServices: Sendable {
    let site: Site
    let uploads: UploadService
    /// Who is believed to have signed a profile.
    let profileAnchors: TrustAnchors

    /// - Parameters:
    ///   - site: what all audiences share.
    ///   - uploads: receives builds; it runs as a service of its own.
    ///   - profileAnchors: who is believed to have signed a profile.
    package init(site: Site, uploads: UploadService, profileAnchors: TrustAnchors) {
        self.site = site
        self.uploads = uploads
        self.profileAnchors = profileAnchors
    }
}
