package import Essentials
import SwiftASN1

extension SignedAttributes {
    /// The signingTime attribute (RFC 5652 section 11.3); nil when absent or malformed.
    package var signingTime: Date? {
        guard let value = single(.signingTime) else { return nil }
        if let time = try? UTCTime(berEncoded: value) {
            return CalendarTime(
                year: time.year,
                month: time.month,
                day: time.day,
                hour: time.hours,
                minute: time.minutes,
                second: time.seconds,
            ).date
        }
        guard let time = try? GeneralizedTime(berEncoded: value) else { return nil }
        return CalendarTime(
            year: time.year,
            month: time.month,
            day: time.day,
            hour: time.hours,
            minute: time.minutes,
            second: time.seconds,
        ).date
    }
}
