import Access
import Cryptography
import Enrolment
import Foundation
import HTTPServing
import Logging
import NIOCore
import NIOPosix
import Releases
import Store

/// What the routes answer from.
struct Site: Sendable {
    let store: OTAStore
    let pages: SitePages
    let links: Links
    let capabilities: CapabilityAuthority
    let sessions: SessionAuthority
    let guesses: Guesses
    /// What bodies have of the memory.
    let bodies: BodyBudget
    let references: DeviceReferences
    let tracker: InstallTracker
    let feed: EventFeed
    let uploads: UploadService
    let challenges: ChallengeAuthority
    /// Whose devices are believed when they enrol.
    let deviceAnchors: TrustAnchors
    /// Who is believed to have signed a profile.
    let profileAnchors: TrustAnchors
    let certificate: CurrentCertificate
    /// Codes that were typed wrongly of late.
    let codes = TypedCodes()
    /// Secrets that the next page shows, once.
    let secrets = OneTimeSecrets()
    /// How often who listens is asked whether they still may.
    let eventBeat: Duration
    /// Addresses whose `X-Forwarded-For` is believed.
    let proxies: Set<String>
    let answers: ResponseCache
    let metrics: Metrics
    let health: StoreHealth
    /// Bytes of a blob that is proven before it is given out for the first time.
    let provenAtOnce: Int
    let executors: LoopExecutors
    /// The development authority, when the server uses one.
    let authority: Certificate?
    let clock: @Sendable () -> Date
    /// The proxies and authorities that fetches of mirrors use.
    let surroundings: [String: String]
    let logger: Logger

    /// How long an answer made from the store is given without looking again; with the store's own
    /// interval, what another process publishes shows within a second.
    static let freshness = TimeAmount.milliseconds(500)

    var now: Date { clock() }

    /// Whether the release's IPA is not the one that was published; waits for the disk.
    ///
    /// A small one is proven now, where it was not yet.
    func isRotten(_ release: Release) throws -> Bool {
        var isProven = try store.isProven(release.sha256)
        if isProven == nil, release.size <= provenAtOnce {
            isProven = try store.prove(release.sha256)
        }
        return isProven == false
    }

    /// Runs work that reads and renders on a thread that may wait for the disk.
    func work<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await NIOThreadPool.singleton.runIfActive(body)
    }
}
