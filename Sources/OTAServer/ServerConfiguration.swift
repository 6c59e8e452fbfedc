package import ACME
package import AppleDeveloper
package import Cryptography
package import Foundation
package import HTTPCalling
package import HTTPServing
package import Logging
package import Pages
package import ReleaseSigning
package import Releases
import SiteServices
package import Store
package import TeamUpkeep
package import TesterSite
package import Uploads

/// The configuration of the server; nil values are determined or created at the start.
package struct ServerConfiguration: Sendable {
    /// The address to listen on; `0.0.0.0` or `::` for all.
    package var host = "127.0.0.1"
    /// 0 for any free port.
    package var port = 8443
    /// The port for `/trust` and redirects; nil for none.
    package var plainPort: Int?
    /// The number of files and connections that the process may have open; nil for no limit.
    package var openFiles: Int?
    /// The base URL of links; nil for the store's, or one derived from address and port.
    package var baseURL: BaseURL?
    /// The certificate and key; nil to create and keep a development authority.
    package var certificate: CertificateFiles?
    /// The ACME authority that issues the server's certificates, if there is no certificate file; nil for
    /// none.
    package var acme: ACMESettings?
    /// Further host names for which requests are accepted.
    package var otherHosts: [String] = []
    /// Proxies whose `X-Forwarded-For` is trusted.
    package var trustedProxies: Set<String> = []
    /// The authorities whose device certificates are trusted at enrolment; tests add their own.
    package var deviceAnchors = TrustAnchors.appleDevices
    package var limits = ServerLimits()
    /// How long the server answers requests after it was asked to stop, while `/readyz` reports that.
    package var drainTime = Duration.zero
    /// The limits of request bodies.
    package var bodies = BodyLimits()
    /// Responses that are cached for a moment; each server has its own cache.
    package var answers = ResponseCache(.pages)
    /// The number of clients that may follow events at once.
    package var listeners = ListenerLimits()
    /// The interval between two keep-alive comments in an event stream; a stream ends at most this long
    /// after the right to it expires.
    package var eventBeat = Duration.seconds(20)
    /// The interval between two checks of a tester's page for its device's progress.
    package var eventLook = Duration.seconds(2)
    /// Trust anchors in addition to Apple's and those in the store.
    package var anchors: [Certificate] = []
    package var uploads = UploadLimits()
    package var scrub = ScrubLimits()
    /// The path of the `ota` that tries builds on which the server has crashed; nil to set them aside.
    package var program: String?
    /// The least lifetime of an install path, in seconds.
    package var capabilityLifetime = 3600
    /// Where devices download builds from.
    package var downloads = DownloadPlace.server
    /// Seconds after which a runner that is not heard from loses its lease.
    package var leaseLife = 60.0
    /// Signs builds; nil for a process of ``program`` that unseals identities with the key file.
    package var signer: (any BuildSigner)?
    /// The key file with which teams' private keys are sealed; without it the server signs nothing.
    package var keyFile: SealingKeyFile?
    /// The address of App Store Connect, and the authorities for its certificate.
    package var apple = AppleConnection()
    /// Sends requests to identity providers; nil for a client over the internet.
    package var providers: (any CallTransport)?
    /// When the upkeep of developer accounts is due.
    package var upkeep = UpkeepPolicy()
    package var notices = NoticeOptions()
    package var assets: Assets
    package var clock: @Sendable () -> Date = { Date() }
    /// The environment variables that name proxies and authorities for fetches of mirrors.
    package var surroundings: [String: String] = [:]
    package var log = LogSink()
    package var logLevel = Logger.Level.notice

    package init(assets: Assets) {
        self.assets = assets
    }
}

/// The addresses of a running server.
package struct ServerAddresses: Sendable {
    /// The beginning of links.
    package let baseURL: BaseURL
    /// The ports that were bound.
    package let port: Int
    package let plainPort: Int?
    /// The page on which a device is set up to trust the development authority, over plain HTTP; nil with a
    /// certificate that devices trust anyway, or without a plain port.
    package let trustURL: String?
}
