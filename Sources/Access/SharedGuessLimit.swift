import Cryptography
package import Essentials

/// Limits how often all clients together guess one secret, without locking out those who know it.
///
/// Wrong answers are limited per site (/48, or /24 of IPv4) and over all addresses. Beyond a limit a client
/// is not refused for good: it gets a turn, a date at which its next answer counts, and turns come at a
/// fixed pace. A site and a provider only get a small part of the turns, so that an attacker with a network
/// of any size cannot take them all.
///
/// Memory is limited: an answer that is not admitted leaves at most a turn.
package struct SharedGuessLimit: Sendable {
    /// A number of wrong answers within a number of seconds.
    package struct Bound: Sendable {
        let count: Int
        let span: TimeInterval

        package init(_ count: Int, per span: TimeInterval) {
            self.count = count
            self.span = span
        }
    }

    package struct Policy: Sendable {
        let ofSite: [Bound]
        let ofAll: [Bound]
        /// Seconds between two turns, and between two turns of one site.
        let pace: TimeInterval
        let paceOfSite: TimeInterval
        /// The number of turns that are assigned in advance: in total, to one site, to one provider.
        let turns: (all: Int, site: Int, provider: Int)

        /// For the passphrase of one app.
        package static let passphrase = Policy(
            ofSite: [Bound(20, per: 3600)],
            ofAll: [Bound(100, per: 3600)],
            pace: 5,
            paceOfSite: 60,
            turns: (all: 240, site: 2, provider: 24),
        )

        /// For testers' feedback on one app: from an office behind one address, and from all testers.
        package static let feedback = Policy(
            ofSite: [Bound(20, per: 3600)],
            ofAll: [Bound(60, per: 3600)],
            pace: 60,
            paceOfSite: 300,
            turns: (all: 10, site: 1, provider: 2),
        )

        /// For typed codes: there are a million, and each is valid for a quarter of an hour.
        package static let code = Policy(
            ofSite: [Bound(10, per: 900), Bound(40, per: 86_400)],
            ofAll: [Bound(30, per: 900), Bound(150, per: 86_400)],
            pace: 60,
            paceOfSite: 120,
            turns: (all: 10, site: 1, provider: 2),
        )
    }

    struct Origin: Sendable, Equatable {
        let own: [UInt8]
        let site: [UInt8]
        let provider: [UInt8]

        init(own: [UInt8], site: [UInt8], provider: [UInt8]) {
            self.own = own
            self.site = site
            self.provider = provider
        }

        init(_ address: String) {
            if let networks = AlternativeName(address).networks {
                (own, site, provider) = networks
            } else {
                own = SHA256Digest(of: address.utf8).bytes
                (site, provider) = (own, own)
            }
        }
    }

    struct Attempt: Sendable, Equatable, Codable {
        let origin: Origin
        let date: Date
    }

    /// The state that servers on one store share.
    package struct Memory: Sendable, Equatable, Codable {
        private(set) var schema = 1
        var attempts: [Attempt] = []
        /// Assigned turns, by date.
        var turns: [Attempt] = []

        package init() {}
    }

    /// Seconds for which a turn can be used.
    package static let grace: TimeInterval = 120

    private let policy: Policy
    private let longestSpan: TimeInterval
    package private(set) var memory: Memory

    private var attempts: [Attempt] {
        get { memory.attempts }
        set { memory.attempts = newValue }
    }

    private var turns: [Attempt] {
        get { memory.turns }
        set { memory.turns = newValue }
    }

    package init(_ policy: Policy, remembering memory: Memory = Memory()) {
        self.policy = policy
        self.memory = memory
        longestSpan = (policy.ofSite + policy.ofAll).map(\.span).max() ?? 0
    }

    /// The number of attempts and turns that are remembered.
    package var count: Int { attempts.count + turns.count }

    /// Counts an attempt before the answer is checked.
    ///
    /// - Returns: nil if the attempt counts; otherwise the seconds to wait, and the answer must not be
    ///   checked.
    package mutating func admit(from address: String, at date: Date) -> TimeInterval? {
        forget(at: date)
        let origin = Origin(address)
        if let index = turns.firstIndex(where: { $0.origin.own == origin.own }) {
            guard turns[index].date <= date else {
                return turns[index].date.timeIntervalSince(date)
            }
            turns.remove(at: index)
            attempts.append(Attempt(origin: origin, date: date))
            return nil
        }
        let ofSite = attempts.filter { $0.origin.site == origin.site }
        let isBeyondSite = isBeyond(policy.ofSite, ofSite, at: date)
        guard isBeyondSite || isBeyond(policy.ofAll, attempts, at: date) else {
            attempts.append(Attempt(origin: origin, date: date))
            return nil
        }
        return wait(for: origin, isBeyondSite ? ofSite.last?.date : nil, at: date)
    }

    /// Removes the last attempt of an address, because its answer was right.
    package mutating func forgive(_ address: String) {
        let own = Origin(address).own
        guard let index = attempts.lastIndex(where: { $0.origin.own == own }) else { return }
        attempts.remove(at: index)
    }

    /// Assigns a turn, if the site and the provider may have another one.
    ///
    /// - Returns: the seconds until the turn, or until another request makes sense.
    private mutating func wait(
        for origin: Origin,
        _ lastOfSite: Date?,
        at date: Date,
    ) -> TimeInterval {
        let own = turns.filter { $0.origin.site == origin.site }
        var turn =
            [
                date.addingTimeInterval(policy.pace),
                lastOfSite?.addingTimeInterval(policy.paceOfSite),
                own.last?.date.addingTimeInterval(policy.paceOfSite),
            ].compactMap(\.self).max() ?? date
        // The first free slot from there on; a site that has to wait for its own turns delays no others.
        for other in turns where abs(other.date.timeIntervalSince(turn)) < policy.pace {
            turn = other.date.addingTimeInterval(policy.pace)
        }
        let ofProvider = turns.count { $0.origin.provider == origin.provider }
        guard turns.count < policy.turns.all, own.count < policy.turns.site,
            ofProvider < policy.turns.provider
        else { return max(policy.pace, turn.timeIntervalSince(date)) }
        turns.append(Attempt(origin: origin, date: turn))
        turns.sort { $0.date < $1.date }
        return turn.timeIntervalSince(date)
    }

    private func isBeyond(_ bounds: [Bound], _ attempts: [Attempt], at date: Date) -> Bool {
        bounds.contains { bound in
            attempts.count { abs($0.date.timeIntervalSince(date)) < bound.span } >= bound.count
        }
    }

    /// Forgets old attempts and turns; after a clock was set back, no one waits longer than the longest
    /// span.
    private mutating func forget(at date: Date) {
        let longest = longestSpan
        attempts.removeAll { abs($0.date.timeIntervalSince(date)) >= longest }
        turns.removeAll {
            $0.date.addingTimeInterval(Self.grace) < date
                || $0.date.timeIntervalSince(date) > longest
        }
    }
}
