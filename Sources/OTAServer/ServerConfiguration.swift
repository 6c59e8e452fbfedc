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

/// The configuration of the server; values that are nil are determined or created at the start.
package struct ServerConfiguration: Sendable {
    /// The address to listen on; `0.0.0.0` or `::` for all.
    package var host = "127.0.0.1"
    /// 0 for any free port.
    package var port = 8443
    /// The port for `/trust` and redirects; nil for none.
    package var plainPort: Int?
    /// How many files and connections the process may have open; nil where that is no bound.
    package var openFiles: Int?
    /// The base URL of links; nil for the store's, or for one made of the address and port.
    package var baseURL: BaseURL?
    /// Own certificate and key; without them a development authority is made and kept.
    package var certificate: CertificateFiles?
    /// The authority that gives the server its certificates, where there are no own ones; nil for none.
    package var acme: ACMESettings?
    /// Further host names that requests may be meant for.
    package var otherHosts: [String] = []
    /// Proxies whose `X-Forwarded-For` is trusted.
    package var trustedProxies: Set<String> = []
    /// Whose devices are believed when they enrol; tests add an authority of their own.
    package var deviceAnchors = TrustAnchors.appleDevices
    package var limits = ServerLimits()
    /// For how long the server answers requests after it was asked to stop, while `/readyz` says so.
    package var drainTime = Duration.zero
    /// What bodies of requests may bring.
    package var bodies = BodyLimits()
    /// Answers that are kept in memory for a moment; each server has its own.
    package var answers = ResponseCache(.pages)
    /// How many clients may follow events at once.
    package var listeners = ListenerLimits()
    /// The time between two keep-alive comments in an event stream; a stream ends at most this long
    /// after the right to it ends.
    package var eventBeat = Duration.seconds(20)
    /// The time between two looks of a tester's page at how far its device has come.
    package var eventLook = Duration.seconds(2)
    /// Whose profiles count beside Apple's and those that the store remembers.
    package var anchors: [Certificate] = []
    package var uploads = UploadLimits()
    package var scrub = ScrubLimits()
    /// The `ota` that tries builds which the server has ended with; without one they are set aside.
    package var program: String?
    /// Seconds that an install path lives at least.
    package var capabilityLifetime = 3600
    /// Where phones fetch builds from.
    package var downloads = DownloadPlace.server
    /// Seconds after which a runner that is not heard from has lost its lease.
    package var leaseLife = 60.0
    /// What signs builds; nil for a process of ``program`` that opens identities with the key file.
    package var signer: (any BuildSigner)?
    /// What private keys of teams are sealed with; without it the server signs nothing.
    package var keyFile: SealingKeyFile?
    /// Where App Store Connect answers, and who vouches for it.
    package var apple = AppleConnection()
    /// Brings requests to providers at which people sign in; nil for a client over the internet.
    package var providers: (any CallTransport)?
    /// When the upkeep of developer accounts begins something.
    package var upkeep = UpkeepPolicy()
    package var notices = NoticeOptions()
    package var assets: Assets
    package var clock: @Sendable () -> Date = { Date() }
    /// The proxies and authorities that fetches of mirrors use.
    package var surroundings: [String: String] = [:]
    package var log = LogSink()
    package var logLevel = Logger.Level.notice

    package init(assets: Assets) {
        self.assets = assets
    }
}

/// Where a running server can be reached.
package struct ServerAddresses: Sendable {
    /// What links begin with.
    package let baseURL: BaseURL
    /// The ports that were bound.
    package let port: Int
    package let plainPort: Int?
    /// The page where a phone learns to trust the development authority, over plain HTTP; nil with
    /// a certificate that phones know, or without a plain port.
    package let trustURL: String?
}
