package import Essentials
package import Identifiers

/// The rules for leases of a stage; the current time is an argument.
extension RunnerStage {
    /// Seconds after which a runner that is not heard from loses its lease, unless another time is set.
    package static let leaseLife = 60.0
    /// Seconds within which a runner must begin; its connection may be dead without the server knowing.
    package static let beginning = 15.0
    /// The number of attempts at a stage that may be lost.
    package static let attemptLimit = 2
    /// The number of times that a stage may be attempted, including attempts that runners gave back.
    package static let mostAttempts = 16

    /// The number of an attempt, unique within the build: a late request of an earlier stage of the build
    /// is not mistaken for one of the current stage.
    ///
    /// - Parameter place: the index of the attempt in ``attempts``.
    /// - Returns: a number from 1.
    package func number(ofAttempt place: Int) -> Int {
        (steps.first?.index ?? 0) * Self.mostAttempts + place + 1
    }

    /// The number of the latest attempt.
    package var latestAttempt: Int { number(ofAttempt: attempts.count - 1) }

    /// The number of the attempt that holds the lease; nil if there is no lease.
    package var attempt: Int? { state == .leased ? latestAttempt : nil }

    /// Seconds after which the runner that holds the lease loses it if it is not heard from.
    package var leaseLife: Double { leaseSeconds.map(Double.init) ?? Self.leaseLife }

    /// Leases the stage to a runner.
    ///
    /// - Parameters:
    ///   - runner: the runner.
    ///   - date: the current time.
    ///   - seconds: how long the lease lasts if the runner is not heard from.
    /// - Returns: the number of the attempt; nil if the stage cannot be leased.
    package mutating func lease(
        to runner: Slug,
        at date: Date,
        for seconds: Double = Self.leaseLife,
    ) -> Int? {
        guard state == .offered, mayBeTried else { return nil }
        leaseSeconds = seconds == Self.leaseLife ? nil : Int(seconds)
        attempts.append(
            Attempt(runner: runner, taken: date, until: date.addingTimeInterval(Self.beginning))
        )
        state = .leased
        return latestAttempt
    }

    /// Whether the stage is leased, but no request of the attempt has arrived yet.
    package var isUnbegun: Bool { state == .leased && attempts.last?.isBegun != true }

    /// The attempts that have begun.
    package var begun: ArraySlice<Attempt> { isUnbegun ? attempts.dropLast() : attempts[...] }

    /// Offers the stage again to the runner that holds it and asks for work.
    package mutating func offerAgain(at date: Date) {
        guard isUnbegun, !attempts.isEmpty else { return renew(at: date) }
        attempts[attempts.count - 1].until = date.addingTimeInterval(Self.beginning)
    }

    /// Undoes an attempt that has not begun.
    package mutating func takeBack() {
        guard isUnbegun, !attempts.isEmpty else { return }
        attempts.removeLast()
        state = .offered
    }

    /// Whether a runner may still report for this attempt; only the holder of the lease may.
    package func isHeld(by runner: Slug, as attempt: Int) -> Bool {
        state == .leased && attempt == latestAttempt && attempts.last?.runner == runner
    }

    /// Ends the lease of a runner that was not heard from in time; an attempt that has not begun does not
    /// count.
    ///
    /// - Parameters:
    ///   - date: the current time.
    ///   - started: when the server began to listen; no runner could be heard from before.
    /// - Returns: the reason, as the end of a sentence; nil if the lease is still valid.
    @discardableResult
    package mutating func expire(at date: Date, listeningSince started: Date) -> String? {
        guard state == .leased, let last = attempts.last,
            date > max(last.until, started.addingTimeInterval(leaseLife))
        else { return nil }
        guard !isUnbegun else {
            takeBack()
            return "runner \(last.runner) did not begin within \(Int(Self.beginning)) s"
        }
        let reason = "runner \(last.runner) was not heard from for \(Int(leaseLife)) s"
        give(up: reason)
        return reason
    }

    /// The number of lost attempts, without those that were given back.
    package var losses: Int { attempts.count { $0.lost != nil && $0.isGivenBack != true } }

    private var mayBeTried: Bool {
        losses < Self.attemptLimit && attempts.count < Self.mostAttempts
    }

    /// Ends the current attempt without an outcome; the stage is offered again, or lost.
    ///
    /// - Parameters:
    ///   - reason: the reason, as the end of a sentence.
    ///   - isGivenBack: whether the agent was asked to stop, so that the attempt does not count as lost.
    package mutating func give(up reason: String, isGivenBack: Bool = false) {
        guard state == .leased, !attempts.isEmpty else { return }
        attempts[attempts.count - 1].lost = reason
        attempts[attempts.count - 1].isGivenBack = isGivenBack ? true : nil
        if mayBeTried {
            state = .offered
        } else {
            state = .lost
            self.reason = reason
        }
    }
}
