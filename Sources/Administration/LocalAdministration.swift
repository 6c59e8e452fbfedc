import APIDocuments
package import Access
import Bundles
package import Cryptography
import Enrolment
import Foundation
package import HTTPCalling
import Inspection
package import Notices
import Publishing
package import Releases
package import Store
package import TeamUpkeep

/// A store on this machine, on which commands and the API act.
package struct LocalAdministration: Sendable {
    package let admin: Administrator
    /// The trust anchors for profiles that are added by hand.
    package let anchors: TrustAnchors
    /// The authorities that a command was given in addition to Apple's, for the process that signs.
    package var furtherAnchors: [Certificate] = []
    /// The URLs at which testers reach the server; nil to use the store's setting.
    package let links: Links?
    /// The caller: only admins see devices by name and UDID, and a token shows only its apps.
    package let holder: Principal
    /// The environment variables that name proxies for fetches of mirrors.
    package var surroundings: [String: String] = [:]

    /// The key file with which identities are sealed; nil if none is configured, so that no identity can be
    /// stored.
    package var keyFile: SealingKeyFile?
    /// Opens the developer accounts of teams; nil if nothing here communicates with Apple.
    package var accounts: AccountOpener?
    /// Removes a store that was created for the action if the action fails; nil if none was created.
    package var takeBackStore: (@Sendable () -> Void)?
    /// The SHA-256 of the agent that the server serves to runners; nil if unknown.
    package var runnerAgent: SHA256Digest?
    /// The mail server; nil if no server is running, or it was started without one.
    package var mail: MailServer?

    /// The running server's status; nil if none is running.
    package var standing: ServerStanding?

    /// Sends requests to identity providers; nil for a client over the internet.
    package var providers: (any CallTransport)?

    /// Prepares actions on a store.
    ///
    /// - Parameters:
    ///   - admin: the store, and the actor in the activity.
    ///   - anchors: the trust anchors for profiles.
    ///   - links: the URLs at which testers reach the server; nil to use the store's setting.
    ///   - holder: the holder of the token; nil for a user who can write to the store's files.
    package init(
        _ admin: Administrator,
        anchors: TrustAnchors = .apple,
        links: Links? = nil,
        holder: Principal? = nil,
    ) {
        self.admin = admin
        self.anchors = anchors
        self.links = links
        self.holder = holder ?? .local(admin.name)
    }

    /// The URL at which testers reach the server; nil if that is not set yet.
    package func baseURL() throws -> BaseURL? {
        try links?.base ?? admin.store.settings().baseURL
    }
}
