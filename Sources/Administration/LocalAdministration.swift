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

/// A store on this machine, as commands and the API act on it.
package struct LocalAdministration: Sendable {
    package let admin: Administrator
    /// Who is believed to have signed a profile that is added by hand.
    package let anchors: TrustAnchors
    /// Authorities besides Apple's that a command was given, for the process that signs.
    package var furtherAnchors: [Certificate] = []
    /// Where testers reach the server; nil for what the store remembers.
    package let links: Links?
    /// Who asks: only admins see devices by name and identifier, and a token shows its apps alone.
    package let holder: Principal
    /// The proxies that fetches of mirrors use.
    package var surroundings: [String: String] = [:]

    /// What identities are sealed with; nil where none is named, and then no identity can be kept.
    package var keyFile: SealingKeyFile?
    /// Opens the developer accounts of teams; nil where nothing here speaks to Apple.
    package var accounts: AccountOpener?
    /// Removes a store that was created for the action if the action fails; nil if none was
    /// created.
    package var takeBackStore: (@Sendable () -> Void)?
    /// SHA-256 of the agent that the server hands out to runners; nil if unknown.
    package var runnerAgent: SHA256Digest?
    /// Takes e-mail; nil where no server runs, or it was started without one.
    package var mail: MailServer?

    /// What the server knows of itself; nil where none runs.
    package var standing: ServerStanding?

    /// Brings requests to providers at which people sign in; nil for a client over the internet.
    package var providers: (any CallTransport)?

    /// Prepares actions on a store.
    ///
    /// - Parameters:
    ///   - admin: the store, and in whose name the activity records them.
    ///   - anchors: authorities that are believed of a profile.
    ///   - links: to where testers reach the server; nil for what the store remembers.
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

    /// Where testers reach the server; nil if that is not set yet.
    package func baseURL() throws -> BaseURL? {
        try links?.base ?? admin.store.settings().baseURL
    }
}
