import Foundation

extension Date {
    /// Documents keep whole seconds.
    var wholeSecond: Date {
        Date(timeIntervalSince1970: timeIntervalSince1970.rounded(.down))
    }
}
