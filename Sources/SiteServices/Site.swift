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
    /// Stores releases, devices and rights.
    package let store: OTAStore
    /// Templates and public files.
    package let pages: SitePages
    /// Builds URLs below the base URL.
    package let links: Links
    /// Creates and verifies the values of cookies.
    package let sessions: SessionAuthority
    /// Limits guesses of tokens, passphrases and codes.
    package let guesses: Guesses
    /// Limits the memory of request bodies.
    package let bodies: BodyBudget
    /// Proxies whose `X-Forwarded-For` is trusted.
    package let proxies: Set<String>
    /// Responses that are cached for a moment.
    package let answers: ResponseCache
    /// The executors of connections' threads, with the read buffers that they lend.
    package let executors: LoopExecutors
    /// Returns the current time.
    package let clock: @Sendable () -> Date
    /// Logs failures.
    package let logger: Logger
    /// Signs people in through a provider.
    package let people: PeopleSignIn

    /// Creates the services that routes share.
    ///
    /// `answers` and `executors` are those of the secure port; `transport` sends requests to sign-in
    /// providers.
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

    /// How long a response made from the store is sent before the store is read again, and how long it is
    /// sent after that while one request renders it again.
    ///
    /// A single visitor sees a new release within this time, and one of many visitors at the latest after
    /// twice this time.
    package static let freshness = TimeAmount.milliseconds(500)

    /// The time of the clock.
    package var now: Date { clock() }

    /// Opens the local file with a blob's bytes, for sending; suspends without blocking a thread while a
    /// blob is fetched from another machine.
    ///
    /// - Throws: `StoreFailure`, and `IOError` if the file cannot be opened.
    package func servedFile(of blob: SHA256Digest) async throws -> ServedFile {
        do {
            return try ServedFile(path: await store.servedFile(of: blob))
        } catch is IOError where store.isElsewhere {
            // The file was evicted to make room for others before it was opened.
            return try ServedFile(path: await store.servedFile(of: blob))
        }
    }

    /// Runs work that reads and renders on a thread that may block on the disk.
    package func work<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await NIOThreadPool.singleton.runIfActive(body)
    }
}
