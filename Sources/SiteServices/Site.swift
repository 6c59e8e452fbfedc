package import Access
package import Cryptography
package import Foundation
package import HTTPCalling
package import HTTPServing
package import Logging
package import NIOCore
import NIOPosix
package import Releases
package import Store

/// The services that the routes of all audiences share.
package struct Site: Sendable {
    /// Where releases, devices and rights are kept.
    package let store: OTAStore
    /// Templates and public files.
    package let pages: SitePages
    /// Addresses below the base URL.
    package let links: Links
    /// Makes and verifies the values of cookies.
    package let sessions: SessionAuthority
    /// Limits guesses of tokens, passphrases and codes.
    package let guesses: Guesses
    /// Limits the memory of request bodies.
    package let bodies: BodyBudget
    /// Proxies whose `X-Forwarded-For` is trusted.
    package let proxies: Set<String>
    /// Answers that are kept in memory for a moment.
    package let answers: ResponseCache
    /// The threads of connections, with what they lend.
    package let executors: LoopExecutors
    /// Says what time it is.
    package let clock: @Sendable () -> Date
    /// Where failures are written.
    package let logger: Logger
    /// Signs people in at a provider.
    package let people: PeopleSignIn

    /// Makes the context from its parts; `answers` and `executors` are those of the secure port, and
    /// `transport` brings requests to providers at which people sign in.
    package init(
        store: OTAStore,
        pages: SitePages,
        links: Links,
        sessions: SessionAuthority,
        guesses: Guesses,
        bodies: BodyBudget,
        proxies: Set<String>,
        answers: ResponseCache,
        executors: LoopExecutors,
        clock: @escaping @Sendable () -> Date,
        logger: Logger,
        transport: any CallTransport,
    ) {
        self.store = store
        self.pages = pages
        self.links = links
        self.sessions = sessions
        self.guesses = guesses
        self.bodies = bodies
        self.proxies = proxies
        self.answers = answers
        self.executors = executors
        self.clock = clock
        self.logger = logger
        people = PeopleSignIn(
            store: store,
            sessions: sessions,
            links: links,
            transport: transport,
            clock: clock,
            logger: logger,
        )
    }

    /// How long a response made from the store is sent without checking the store again, and how long
    /// again while one request makes it again: what is published shows within a second to who visits
    /// alone, and a moment later to who visits in a crowd.
    package static let freshness = TimeAmount.milliseconds(500)

    /// The time of the clock.
    package var now: Date { clock() }

    /// Opens the file of this machine that has a blob's bytes, for sending; waits without a thread while a
    /// blob elsewhere is fetched.
    ///
    /// - Throws: `StoreFailure`, and `IOError` where the file cannot be opened.
    package func servedFile(of blob: SHA256Digest) async throws -> ServedFile {
        do {
            return try ServedFile(path: await store.servedFile(of: blob))
        } catch is IOError where store.isElsewhere {
            // The file had to make room for others before it was open.
            return try ServedFile(path: await store.servedFile(of: blob))
        }
    }

    /// Runs work that reads and renders on a thread that may wait for the disk.
    package func work<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await NIOThreadPool.singleton.runIfActive(body)
    }
}
