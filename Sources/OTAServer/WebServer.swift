import HTTPServing
import Logging
import ServiceLifecycle
package import Store

/// The server that devices install from.
package struct WebServer: Sendable {
    private let configuration: ServerConfiguration
    private let store: OTAStore

    package init(_ configuration: ServerConfiguration, store: OTAStore) {
        self.configuration = configuration
        self.store = store
    }

    /// Runs the server until SIGTERM or SIGINT, then lets running downloads complete within
    /// ``ServerLimits/shutdownTime``.
    ///
    /// - Parameters:
    ///   - stop: a further signal to stop, for programs that are more than a server.
    ///   - onReady: called once, when both ports accept connections.
    /// - Throws: ``StoreFailure`` if another server has the store, ``CertificateProblem``, or the system's
    ///   error if a port cannot be bound.
    package func run(
        until stop: StopSignal? = nil,
        onReady: @escaping @Sendable (ServerAddresses) async -> Void,
    ) async throws {
        // Two servers on a folder would not see each other's cached responses.
        let lease = try store.backend.claimForServer()
        try tidy()
        defer { configuration.log.flush() }
        let following = store.backend.followChanges()
        let setup = try ServerSetup(configuration, store: store, as: lease, following)
        try await setup.run(until: stop, onReady: onReady)
        withExtendedLifetime((lease, following)) {}
    }

    /// Cleans up after a crash or a careless copy: partially received files, keys that others may read.
    private func tidy() throws(StoreFailure) {
        try store.backend.sweep()
        try store.backend.keepEarlierGenerations()
        let sink = configuration.log
        let logger = Logger(label: "ota") { _ in
            LineLogHandler(sink: sink, redaction: .ofSecrets, level: configuration.logLevel)
        }
        for path in try store.backend.tightenSecrets() {
            logger.warning(
                "a secret was readable by other users; now only its owner can read it",
                metadata: ["path": "\(path)"],
            )
        }
        do {
            try store.giveBackUnfinishedInvitations()
        } catch {
            logger.error("invitations cannot be checked", metadata: ["reason": "\(error)"])
        }
        tellLockedTeams(logger)
    }

    /// Reports at the start what would otherwise only be noticed when a build is to be signed.
    private func tellLockedTeams(_ logger: Logger) {
        // A signer that replaces the child process needs no keys from the store.
        guard configuration.signer == nil else { return }
        do throws(StoreFailure) {
            guard let locked = try store.lockedTeams(by: configuration.keyFile) else { return }
            logger.error(
                "private keys of teams cannot be opened",
                metadata: [
                    "teams": "\(locked.names)", "reason": "\(locked.reason)",
                    "fix": "\(locked.fix)",
                ],
            )
        } catch {
            logger.error("teams cannot be checked", metadata: ["reason": "\(error)"])
        }
    }
}

/// Stops a server from inside the program.
package final class StopSignal: Service {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    package init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    package func stop() {
        continuation.finish()
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            for await _ in self.stream {}
        }
    }
}
