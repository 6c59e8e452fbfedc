import Cryptography
package import Essentials

/// Computes renewal dates and waiting times after failures; pure.
package enum RenewalSchedule {
    /// The interval in seconds between requests for the authority's suggestion, if it gives none.
    static let usualLook: TimeInterval = 6 * 3600
    /// The bounds of the interval that it may give, in seconds.
    static let looks: ClosedRange<TimeInterval> = 60...86_400

    /// The renewal date of a certificate without a suggestion from its authority: at two thirds of its
    /// validity, randomly a little earlier so that servers that started together do not renew together.
    ///
    /// It is not within an hour after `obtained`, so that a wrong clock does not cause repeated requests.
    ///
    /// - Parameters:
    ///   - validity: the certificate's validity period.
    ///   - obtained: when the server obtained it.
    ///   - random: from 0 to below 1.
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

    /// A date within the window that the authority suggests (RFC 9773 section 4.2): never after the
    /// certificate's expiry, and never in the first hundredth of its validity, so that no suggestion
    /// causes repeated requests.
    ///
    /// - Parameters:
    ///   - window: the suggested window.
    ///   - validity: the certificate's validity period.
    ///   - random: from 0 to below 1.
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

    /// The pause before the next attempt: one minute after the first failure, when the other challenge is
    /// tried; then half an hour, doubling up to half a day.
    ///
    /// An attempt fails at most one challenge, so at most three fail in the first hour: Let's Encrypt
    /// allows five failed validations of a name per hour.
    ///
    /// - Parameters:
    ///   - attempts: the number of failed attempts, from 1.
    ///   - random: from 0 to below 1; the pause is up to a quarter longer.
    /// - Returns: seconds.
    package static func pause(after attempts: Int, random: Double) -> TimeInterval {
        let pause: TimeInterval =
            attempts <= 1 ? 60 : min(1800 * TimeInterval(1 << min(attempts - 2, 8)), 43_200)
        return pause * (1 + random / 4)
    }

    /// After a start, the next attempt follows at most this many seconds after the last one, because an
    /// admin may have fixed the cause and restarted the server.
    static let longestPauseAtStart: TimeInterval = 900
}
