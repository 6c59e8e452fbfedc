import Cryptography
package import Essentials

/// When certificates are renewed, and how long to wait after failures; pure.
package enum RenewalSchedule {
    /// Seconds between two questions about what the authority suggests, where it names none.
    static let usualLook: TimeInterval = 6 * 3600
    /// The bounds of what it may name.
    static let looks: ClosedRange<TimeInterval> = 60...86_400

    /// When a certificate is renewed whose authority suggests nothing: as two thirds of its life end, a
    /// little earlier by chance, so that servers which began together do not come together; and not
    /// within an hour, so that a clock which is wrong asks for no new one again and again.
    ///
    /// - Parameters:
    ///   - validity: of the certificate.
    ///   - obtained: when the server got it.
    ///   - random: at least 0 and below 1.
    /// - Returns: the date.
    package static func date(
        of validity: ClosedRange<Date>,
        obtained: Date,
        random: Double,
    ) -> Date {
        let life = validity.upperBound.timeIntervalSince(validity.lowerBound)
        let date = validity.lowerBound.addingTimeInterval(life * (2.0 / 3 - random / 36))
        return max(date, obtained.addingTimeInterval(3600))
    }

    /// A moment within the window that the authority suggests (RFC 9773 section 4.2): never after the
    /// certificate has ended, and never in the first hundredth of its life, so that no suggestion asks
    /// for new ones again and again.
    ///
    /// - Parameters:
    ///   - window: what the authority suggests.
    ///   - validity: of the certificate.
    ///   - random: at least 0 and below 1.
    /// - Returns: the date.
    package static func date(
        within window: RenewalWindow,
        of validity: ClosedRange<Date>,
        random: Double,
    ) -> Date {
        let length = window.end.timeIntervalSince(window.start)
        let life = validity.upperBound.timeIntervalSince(validity.lowerBound)
        let date = window.start.addingTimeInterval(length * random)
        let earliest = validity.lowerBound.addingTimeInterval(life / 100)
        return min(max(date, earliest), validity.upperBound)
    }

    /// Seconds to the next attempt: one minute after the first failure, when the other proof is tried;
    /// then half an hour, and twice as long each time up to half a day.
    ///
    /// An attempt fails one proof at most, so there are three in the first hour: Let's Encrypt allows
    /// five failed proofs of a name an hour.
    ///
    /// - Parameters:
    ///   - attempts: that have failed, from 1.
    ///   - random: at least 0 and below 1; the wait is up to a quarter longer.
    /// - Returns: seconds.
    package static func pause(after attempts: Int, random: Double) -> TimeInterval {
        let pause: TimeInterval =
            attempts <= 1 ? 60 : min(1800 * TimeInterval(1 << min(attempts - 2, 8)), 43_200)
        return pause * (1 + random / 4)
    }

    /// After a start, the next attempt is made at the latest so many seconds after the last one, however
    /// long the wait had grown: an admin may have fixed the cause and restarted the server.
    static let longestPauseAtStart: TimeInterval = 900
}
