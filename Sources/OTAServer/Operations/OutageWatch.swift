import Logging
import Releases
import ServiceLifecycle
import Store

/// Logs when a store elsewhere stops answering and when it answers again: one line each, however many
/// requests fail in between.
final class OutageWatch: Service {
    private let following: (any ChangeFollowing)?
    private let interval: Duration
    private let logger: Logger

    /// - Parameters:
    ///   - following: polls the store; nil for a store on this machine.
    ///   - interval: the time between two checks, which cost no request.
    ///   - logger: logs the outages.
    init(
        _ following: (any ChangeFollowing)?,
        interval: Duration = .milliseconds(500),
        logger: Logger,
    ) {
        self.following = following
        self.interval = interval
        self.logger = logger
    }

    func run() async throws {
        guard let following else {
            // It is cancelled if the time to stop runs out, which is not a failure.
            try? await gracefulShutdown()
            return
        }
        await cancelWhenGracefulShutdown { await self.watch(following) }
    }

    private func watch(_ following: any ChangeFollowing) async {
        /// The last answer before the outage; nil while the store answers.
        var lastAnswer: ContinuousClock.Instant?
        while !Task.isCancelled {
            let now = ContinuousClock.now
            let silence = following.silence
            if let last = lastAnswer {
                if silence <= Readiness.longestSilence {
                    lastAnswer = nil
                    let seconds = Int((now - silence - last).components.seconds)
                    logger.notice(
                        "the store answers again",
                        metadata: ["after": "\(Wording.count(seconds, "second"))"],
                    )
                }
            } else if silence > Readiness.longestSilence {
                lastAnswer = now - silence
                logger.warning(
                    "the store does not answer",
                    metadata: following.trouble.map { ["reason": "\($0)"] } ?? [:],
                )
            }
            try? await Task.sleep(for: interval)
        }
    }
}
