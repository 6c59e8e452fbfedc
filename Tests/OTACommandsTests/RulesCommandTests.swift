import Foundation
import Sample
import TestSupport
import Testing

/// `ota apps rules`, and pinned releases.
@Suite(.timeLimit(.minutes(10)))
struct RulesCommandTests {
    // Options: apps rules: newest days not-installed everything default dry-run now
    // Options: releases pin: reason
    @Test func `rules are set, tried, applied and taken back, and pins stay`() async throws {
        try await Workplace.run { place in
            for number in 1...4 {
                try place.build(at: Date(timeIntervalSinceNow: -40 * 86_400)) {
                    $0.version("1.\(number)", build: "\(number)")
                }
                _ = try await place.json("publish", "build.ipa", "--trusted-ca", "anchor.pem")
            }
            let rules = ["apps", "rules", "browsey"]
            let none = try await place.json(rules)
            #expect(none["newest"] == .null && none["isDefault"].boolean == true)
            let usual = try await place.json("apps", "rules", "--days", "90", "--not-installed")
            #expect(usual["app"] == .null && usual["installed"].boolean == false)
            #expect(try await place.json(rules)["days"].number == 90, "those of all apps")
            let own = try await place.json(rules + ["--newest", "2"])
            #expect(own["newest"].number == 2 && own["isDefault"].boolean == false)
            let pinned = try await place.json(
                ["releases", "pin", "browsey", "1.1", "--reason", "audited"]
            )
            #expect(pinned["release"]["pin"]["reason"].string == "audited")
            // All were published a moment ago.
            let fresh = try await place.json(rules + ["--dry-run", "--newest", "0"])
            #expect(fresh["removed"].items.isEmpty && fresh["dryRun"].boolean == true)
            let reasons = fresh["releases"].items.map { $0["reasons"].items.map(\.["id"].string) }
            #expect(reasons.first == ["offered", "fresh"] && reasons.last == ["pinned", "fresh"])
            let applied = try await place.ota(rules + ["--now"])
            #expect(applied.output.contains("There is nothing to remove."))
            #expect(applied.output.contains("published within the last day"))
            let tried = try await place.ota(rules + ["--dry-run", "--newest", "0"]).output
            for table in [applied.output, tried] {
                #expect(table.contains("RESULT") && table.contains("  kept  "), "\(table)")
            }
            let all = try await place.json(rules + ["--everything"])
            #expect(all["newest"] == .null && all["isDefault"].boolean == false)
            #expect(try await place.json(rules + ["--default"])["days"].number == 90)
            let words = try await place.ota(rules).output
            #expect(words.contains("keeps what is younger than 90 days, what a channel offers"))
            let unpinned = try await place.json("releases", "unpin", "browsey", "1.1")
            #expect(unpinned["release"]["pin"] == .null)
            for wrong in [
                ["--newest", "1001"], ["--days", "0"], ["--now", "--dry-run"],
                ["--everything", "--days", "3"], ["--not-installed"],
                ["--dry-run", "--everything"],
            ] {
                #expect(try await place.ota(rules + wrong).status != 0, "\(wrong)")
            }
        }
    }
}
