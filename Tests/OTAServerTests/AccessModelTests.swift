import APIDocuments
import Access
import Administration
import Cryptography
import Enrolment
import Foundation
import Identifiers
import OTAServer
import Releases
import Sample
import Store
import TestSupport
import Testing

/// A running server and a small model of it take the same random steps, and agree at each of them on who
/// sees and installs what.
@Suite(.timeLimit(.minutes(120)))
struct AccessModelTests {
    @Test func `the server and the model agree on who sees and installs what`() async throws {
        let steps = TestDepth.samples(120, long: 10_000)
        try await TestSite.enrolling { site in
            var pair = try ModelPair(site, seed: 22)
            try await WireClient.secure(site) { client in
                for step in 0..<steps {
                    let done = try await pair.step(client)
                    try await pair.compare(client, after: "step \(step), seed 22: \(done)")
                }
            }
            #expect(pair.links.count > 0 && pair.opened > 0 && pair.refused > 0)
        }
    }
}
