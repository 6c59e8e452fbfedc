import Access
import Cryptography
import Enrolment
import Foundation
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
    let references: DeviceReferences
    let tracker: InstallTracker
    let feed: EventFeed
    let uploads: UploadDesk
    let challenges: ChallengeAuthority
    /// Whose devices are believed when they enrol.
    let deviceAnchors: TrustAnchors
    /// Who is believed to have signed a profile.
    let profileAnchors: TrustAnchors
    let certificate: CurrentCertificate
    /// Codes that were typed wrongly of late.
    let codes = TypedCodes()
    /// How often who listens is asked whether they still may.
    let eventBeat: Duration
    /// Addresses whose `X-Forwarded-For` is believed.
    let proxies: Set<String>
    let answers: AnswersInMemory
    let metrics: Metrics
    let executors: LoopExecutors
    /// The development authority, when the server uses one.
    let authority: Certificate?
    let clock: @Sendable () -> Date
    let logger: Logger

    /// How long an answer made from the store is given without looking again; with the store's own
    /// interval, what another process publishes shows within a second.
    static let freshness = TimeAmount.milliseconds(500)

    var now: Date { clock() }

    /// Runs work that reads and renders on a thread that may wait for the disk.
    func work<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await NIOThreadPool.singleton.runIfActive(body)
    }
}
