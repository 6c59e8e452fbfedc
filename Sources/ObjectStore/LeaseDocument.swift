import Essentials
import S3
import Store

/// The contents of a lease object: the holder of one kind of work.
struct LeaseDocument: Codable, Equatable {
    var schema = 1
    /// The identifier of the claim; nil once it was released.
    var holder: String?
    /// A counter of claims: of two holders, the one with the greater number came later.
    var fence: Int
    /// A counter of renewals of this claim, so that each one changes the object.
    var beat: Int
    /// Milliseconds after a renewal for which the holder may act.
    var life: Int

    /// - Throws: ``StoreFailure/unreadable(path:offset:reason:)`` for anything but the result of
    ///   ``bytes()``.
    init(_ bytes: [UInt8], at path: String) throws(StoreFailure) {
        do {
            self = try JSONDecoder().decode(LeaseDocument.self, from: Data(bytes))
        } catch {
            throw .unreadable(path: path, offset: nil, reason: "it is not a lease")
        }
        guard (1...3_600_000).contains(life), fence >= 0, fence < .max, beat >= 0, beat < .max
        else {
            throw .unreadable(path: path, offset: nil, reason: "it is not a lease of this program")
        }
    }

    init(holder: String, fence: Int, life: Duration) {
        self.holder = holder
        self.fence = fence
        beat = 0
        self.life = Int(life / .milliseconds(1))
    }

    /// The contents of the object.
    func bytes() -> [UInt8] {
        let holder = holder.map { "\"holder\":\"\($0)\"," } ?? ""
        return Array(
            "{\"beat\":\(beat),\"fence\":\(fence),\(holder)\"life\":\(life),\"schema\":\(schema)}\n"
                .utf8
        )
    }

    /// How long the lease must not have been renewed before another process takes it; 20% longer than the
    /// holder counts, because clocks run at different rates.
    var patience: Duration { .milliseconds(life) * 6 / 5 }
}

/// The timing of leases.
package struct LeaseTiming: Sendable {
    /// How long a lease is valid after a renewal.
    ///
    /// A holder that stalls for this long has lost its work.
    package var life: Duration
    /// The time between two renewals.
    package var renewal: Duration

    package init(life: Duration = .seconds(12), renewal: Duration = .seconds(4)) {
        self.life = life
        self.renewal = renewal
    }
}

/// A lease as read from the object store.
struct SeenLease: Sendable {
    let document: LeaseDocument
    let etag: ETag
    /// As in ``S3ObjectFacts/writes``.
    let writes: [String]
    /// When this state was first seen, by this machine's continuous clock, which also runs while the
    /// process is suspended.
    let since: ContinuousClock.Instant

    /// Whether the lease can be taken: it was released, or has not been renewed for so long that its holder
    /// knows that it has expired, whatever its clock shows.
    func isFree(at now: ContinuousClock.Instant) -> Bool {
        document.holder == nil || now - since > document.patience
    }
}
