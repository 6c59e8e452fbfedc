import Foundation
import Logging
import Notices
import Store

/// A server's notices without the server, for tests that kill it: `CrashingSender STORE GRACE`, where GRACE
/// is ``DeliveryPolicy/grace`` in seconds.
///
/// Prints `looking` once it runs, and continues until it is killed or gets SIGTERM.
@main
struct CrashingSender {
    static func main() async throws {
        guard CommandLine.arguments.count == 3, let grace = Double(CommandLine.arguments[2]) else {
            exit(64)
        }
        let store = try OTAStore.open(at: CommandLine.arguments[1])
        var policy = DeliveryPolicy()
        policy.pauses = [0.3, 0.3, 0.3, 0.3, 0.3]
        policy.timeout = .seconds(1)
        policy.connectTimeout = .seconds(1)
        policy.grace = grace
        let clock: @Sendable () -> Date = { Date() }
        var dependencies = NoticeService.Dependencies(clock: clock)
        dependencies.interval = .milliseconds(20)
        let service = NoticeService(
            store: store,
            follower: ActivityFollower(store: store, interval: .milliseconds(20)),
            dependencies: dependencies,
            policy: policy,
            sender: WebhookSender(policy: policy, clock: clock),
            logger: Logger(label: "crashing") { _ in SwiftLogNoOpLogHandler() },
        )
        FileHandle.standardOutput.write(Data("looking\n".utf8))
        try await service.run()
    }
}
