import Foundation

extension Date {
    /// The date rounded down to whole seconds, as documents store it.
    var wholeSecond: Date {
        Date(timeIntervalSince1970: timeIntervalSince1970.rounded(.down))
    }
}
