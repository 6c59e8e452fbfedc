import Foundation
import OTAServer
import TestSupport
import Testing

/// A running server and a small model of it take the same random steps, and after each of them agree on who
/// can see, install and change what.
///
/// With `OTA_LONG` there are 10,000 steps, which advance the clock by more than a year; `OTA_SEED` chooses
/// other steps.
@Suite(.timeLimit(.minutes(120)))
struct AccessModelTests {
    private static var seed: UInt64 {
        ProcessInfo.processInfo.environment["OTA_SEED"].flatMap { UInt64($0) } ?? 22
    }

    @Test func `the server and the model agree on who sees, installs and changes what`()
        async throws
    {
        let steps = TestDepth.samples(120, long: 10_000)
        let seed = Self.seed
        let clock = LateClock()
        let provider = try StandInProvider { clock.now }
        try await TestSite.enrolling(configure: { $0.providers = provider }) { site in
            site.clock.hold()
            clock.follow(site.clock)
            let begun = site.clock.now
            var pair = try ModelPair(site, provider, seed: seed, steps: steps)
            try await WireClient.secure(site) { client in
                for step in 0..<steps {
                    let done = try await pair.step(client)
                    try await pair.compare(client, after: "step \(step), seed \(seed): \(done)")
                }
                let rest = 366 * 86_400 - site.clock.now.timeIntervalSince(begun)
                if TestDepth.isLong, rest > 0 {
                    try pair.pass(Int(rest))
                    try await pair.compare(client, after: "the rest of a year, seed \(seed)")
                }
            }
            // A situation that did not occur was not tested.
            var kinds = ["granted", "open link", "dead link", "looked", "signed in"]
            if TestDepth.isLong {
                kinds += [
                    "hidden", "passphrase", "signIn", "waiting", "gone", "installed", "stopped",
                    "forbidden", "acted",
                ]
            }
            for kind in kinds { #expect(pair.seen[kind, default: 0] > 0, "\(kind)") }
        }
    }
}
