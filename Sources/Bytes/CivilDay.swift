/// A day of the proleptic Gregorian calendar, independent of locale and time zone data.
///
/// `DateFormatter` is slow and follows the locale, so this computes dates itself, as in Howard Hinnant's
/// "chrono-Compatible Low-Level Date Algorithms", whose years begin in March so that the leap day comes
/// last.
package struct CivilDay: Hashable, Sendable {
    package let year: Int
    package let month: Int
    package let day: Int

    package init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    package init(daysSince1970 days: Int) {
        let (era, dayOfEra) = (days + 719_468).quotientAndRemainder(flooringBy: 146_097)
        let leapDays = dayOfEra / 1_460 - dayOfEra / 36_524 + dayOfEra / 146_096
        let yearOfEra = (dayOfEra - leapDays) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    package var daysSince1970: Int {
        let year = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = year.quotientAndRemainder(flooringBy: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}

extension Int {
    /// Divides with a non-negative remainder, so that seconds before 1970 belong to their own day.
    package func quotientAndRemainder(
        flooringBy divisor: Int
    ) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
