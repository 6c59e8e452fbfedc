/// The page by which a device comes to trust a server's own certificate authority.
package struct TrustPage: Page {
    package let chrome: PageChrome
    let profileURL: String
    let startURL: String
    let authority: String
    let fingerprint: String

    /// `authority` is the development authority's common name, `fingerprint` its SHA-256 in pairs
    /// of digits.
    package init(
        profileURL: String,
        startURL: String,
        authority: String,
        fingerprint: String,
        chrome: PageChrome,
    ) {
        self.profileURL = profileURL
        self.startURL = startURL
        self.authority = authority
        self.fingerprint = fingerprint
        self.chrome = chrome
    }
}
