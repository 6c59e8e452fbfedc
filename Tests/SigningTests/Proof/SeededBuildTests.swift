import Cryptography
import Foundation
import Sample
import TestSupport
import Testing

/// A signed pseudorandom build can be installed, and nothing else in it changes.
struct SeededBuildTests {
    /// `OTA_LONG` tests 2,000 builds instead of 24.
    private static let count = UInt64(TestDepth.samples(24, long: 2_000))
    private static let batches: UInt64 = 8

    @Test(arguments: 0..<batches)
    func `a seeded build is signed, changes nowhere else and has nothing that blocks`(
        _ batch: UInt64
    ) throws {
        let share = Self.count / Self.batches
        for seed in batch * share..<(batch + 1) * share {
            let build = SeededBuild(seed: seed)
            let original = try build.original()
            let request = try build.request()
            let signed = try SigningRoom.sign(original, for: request)
            let again = try SigningRoom.sign(original, for: request)
            #expect(signed == again, "seed \(seed): signing twice gives other bytes")
            let report = try SigningRoom.report(on: signed)
            #expect(report.obstacles == [], "seed \(seed)")
            let kept = try UntouchedFiles(of: original)
            let differences = try kept.differences(from: UntouchedFiles(of: signed))
            #expect(differences == [], "seed \(seed)")
        }
    }

    @Test(.enabled(if: SignatureCheck.isPresent, "python3 or openssl is not on this machine"))
    func `who shares no code with the signer finds nothing in seeded builds`() async throws {
        try await withTemporaryFolder { folder in
            let authority = try SigningRoom.authority()
            try Data(authority.anchor.pem.utf8).write(to: folder.appending(path: "root.pem"))
            let seeds = stride(from: 0, to: Self.count, by: 10)
            for seed in seeds {
                let build = SeededBuild(seed: seed)
                let original = try build.original()
                let signed = try SigningRoom.sign(original, for: build.request())
                try Data(original).write(to: folder.appending(path: "\(seed)-before.ipa"))
                try Data(signed).write(to: folder.appending(path: "\(seed).ipa"))
            }
            let found = try await SignatureCheck.results(
                of: seeds.map { "\($0).ipa" },
                from: seeds.map { "\($0)-before.ipa" },
                ["--current", "--anchor", "root.pem", "--at", "2026-01-15"],
                in: folder,
            )
            #expect(found.count == seeds.underestimatedCount)
            for result in found {
                #expect(result.problems.map(\.description) == [], "\(result.package)")
            }
        }
    }
}
