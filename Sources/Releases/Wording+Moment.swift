package import Foundation

extension Wording {
    /// `3 March 2027, 14:05 UTC`.
    package static func moment(_ date: Date) -> String {
        let minutes = Int((date.timeIntervalSince1970 / 60).rounded(.down)) % 1440
        let minute = minutes < 0 ? minutes + 1440 : minutes
        let digits = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
        return "\(day(date)), \(digits(minute / 60)):\(digits(minute % 60)) UTC"
    }
}
