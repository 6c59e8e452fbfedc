import Essentials
import S3
import Store

/// Who does one kind of work, as the object of its lease says.
struct LeaseDocument: Codable, Equatable {
    var schema = 1
    /// Of the claim; nil once it was given back.
    var holder: String?
    /// Counts the claims: of two holders, the one with the greater number came later.
    var fence: Int
    /// Counts the renewals of this claim, so that each makes another object.
    var beat: Int
    /// Milliseconds after a renewal for which the holder may act.
    var life: Int

    /// - Throws: ``StoreFailure/unreadable(path:offset:reason:)`` for anything but what ``bytes()`` gave.
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

    /// How it is kept.
    func bytes() -> [UInt8] {
        let holder = holder.map { "\"holder\":\"\($0)\"," } ?? ""
        return Array(
            "{\"beat\":\(beat),\"fence\":\(fence),\(holder)\"life\":\(life),\"schema\":\(schema)}\n"
                .utf8
        )
    }

    /// How long it must have gone without renewal before another one takes it: longer than the holder
    /// itself counts, for clocks that do not run alike.
    var patience: Duration { .milliseconds(life) * 6 / 5 }
}

/// How long leases last.
package struct LeaseTiming: Sendable {
    /// After a renewal.
    ///
    /// A holder that stalls for as long has lost its work.
    package var life: Duration
    /// Between two renewals.
    package var renewal: Duration

    package init(life: Duration = .seconds(12), renewal: Duration = .seconds(4)) {
        self.life = life
        self.renewal = renewal
    }
}

/// A lease as it was seen in the object store.
struct SeenLease: Sendable {
    let document: LeaseDocument
    let etag: ETag
    /// As in ``S3ObjectFacts/writes``.
    let writes: [String]
    /// When it was seen like this for the first time, by the clock of this machine, which counts on while
    /// the process is stopped.
    let since: ContinuousClock.Instant

    /// Whether its holder has let its time pass: it renewed nothing for so long that it knows by itself
    /// that it holds no more, whatever its clock shows.
    func isFree(at now: ContinuousClock.Instant) -> Bool {
        document.holder == nil || now - since > document.patience
    }
}
