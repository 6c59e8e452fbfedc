import Access
import Foundation
import Testing

struct SharedGuessLimitTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    /// Simulates an attacker who uses a new address each second, and returns for each assigned turn.
    ///
    /// - Returns: the times when guesses were admitted.
    private static func guesses(
        _ limit: inout SharedGuessLimit,
        for seconds: Int,
        from address: (Int) -> String,
    ) -> [Int] {
        var turns: [Int: [String]] = [:]
        var count = 0
        var counted: [Int] = []
        for second in 0..<seconds {
            let due = turns.removeValue(forKey: second) ?? []
            count -= due.count
            for address in due + [address(second)] {
                guard let wait = limit.admit(from: address, at: now + Double(second)) else {
                    counted.append(second)
                    continue
                }
                guard count < 500 else { continue }
                count += 1
                turns[second + max(1, Int(wait.rounded(.up))), default: []].append(address)
            }
        }
        return counted
    }

    @Test func `a site with 65,536 networks has two thousand guesses a day and not 830,000`() {
        var limit = SharedGuessLimit(.passphrase)
        let counted = Self.guesses(&limit, for: 4 * 3600) {
            "2001:db8:1:\(String($0 % 65_536, radix: 16))::1"
        }
        #expect(counted.count > 100)
        #expect(counted.count * 6 < 2000)
        #expect(limit.count < 200)
    }

    @Test func `however many sites guess, all have 20,000 guesses a day`() {
        var limit = SharedGuessLimit(.passphrase)
        let counted = Self.guesses(&limit, for: 2 * 3600) { "\($0 % 99 + 1).\($0 / 99).0.1" }
        #expect(counted.count > 1000)
        #expect(counted.count * 12 < 20_000)
        #expect(limit.count < 1200)
    }

    @Test func `a tester gets in while a stranger with a network of any size guesses`() throws {
        for policy in [SharedGuessLimit.Policy.passphrase, .code] {
            var limit = SharedGuessLimit(policy)
            for guess in 0..<20_000 {
                // A /32 prefix: 65,536 sites with 65,536 networks each.
                let address = "2001:db8:\(String(guess % 65_536, radix: 16))::1"
                _ = limit.admit(from: address, at: Self.now + Double(guess) / 100)
            }
            let date = Self.now + 200
            let turn = limit.admit(from: "198.51.100.7", at: date)
            let wait = try #require(turn)
            #expect(wait <= 600)
            // The attacker continues, and requests every turn.
            for second in stride(from: 0, to: wait, by: 1) {
                let site = String(Int(second) % 65_536, radix: 16)
                _ = limit.admit(from: "2001:db8:\(site):1::1", at: date + second)
            }
            #expect(limit.admit(from: "198.51.100.7", at: date + wait + 60) == nil)
        }
    }

    @Test func `nothing stands in the way of those who are right`() {
        var limit = SharedGuessLimit(.passphrase)
        for tester in 0..<1000 {
            let address = "198.51.\(tester / 250).\(tester % 250)"
            #expect(limit.admit(from: address, at: Self.now) == nil)
            limit.forgive(address)
        }
        #expect(limit.count == 0)
    }

    @Test func `a turn is for its own network, for two minutes and for one answer`() {
        var limit = SharedGuessLimit(.passphrase)
        for guess in 0..<100 {
            #expect(limit.admit(from: "10.\(guess).0.1", at: Self.now) == nil)
        }
        let turns = ["192.0.2.1", "203.0.113.1"].map { limit.admit(from: $0, at: Self.now) }
        #expect(turns == [5, 10])
        let (wait, next) = (5.0, 10.0)
        #expect(limit.admit(from: "192.0.2.1", at: Self.now + 2) == 3, "the same turn")
        #expect(limit.admit(from: "198.51.100.1", at: Self.now + wait) != nil)
        #expect(limit.admit(from: "192.0.2.1", at: Self.now + wait) == nil)
        #expect(limit.admit(from: "192.0.2.1", at: Self.now + wait) != nil)
        #expect(limit.admit(from: "203.0.113.1", at: Self.now + next + 121) != nil, "too late")
        #expect(limit.admit(from: "203.0.113.9", at: Self.now + 3601) == nil, "an hour later")
    }

    @Test func `a code falls with a chance of fifty in a million`() {
        var limit = SharedGuessLimit(.code)
        let counted = Self.guesses(&limit, for: 3 * 3600) { "\($0 % 99 + 1).\($0 / 99).0.1" }
        // The maximum in any quarter of an hour, which is how long a code is valid.
        let most = counted.map { first in counted.count { $0 >= first && $0 < first + 900 } }.max()
        #expect(most ?? 0 >= 30)
        #expect(most ?? 0 <= 50)
    }

    @Test func `a clock that is set back locks nobody out for long`() {
        var limit = SharedGuessLimit(.passphrase)
        for guess in 0..<200 {
            _ = limit.admit(from: "10.\(guess).0.1", at: Self.now + 365 * 86_400)
        }
        #expect(limit.admit(from: "192.0.2.1", at: Self.now) == nil)
    }
}
