import Bytes
package import Essentials

/// The identifier of a job: the time of its request and random digits, such as `20261123-172541-3fa9c2d4`.
///
/// Sorted as text, jobs are in chronological order.
package struct JobIdentifier: TextCoded, Hashable, Sendable, Comparable {
    package let rawValue: String

    package static let kindOfText = "the identifier of a job, such as 20261123-172541-3fa9c2d4"

    /// - Parameters:
    ///   - date: when the job is requested.
    ///   - random: returns the given number of random bytes.
    package init(at date: Date, random: (Int) -> [UInt8]) {
        let digits = date.formatted(.iso8601).utf8.filter {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
        }
        let time = String(decoding: digits.prefix(14), as: UTF8.self)
        rawValue = "\(time.prefix(8))-\(time.suffix(6))-\(Hex.encode(random(4)))"
    }

    package init?(_ text: String) {
        let isPlain = text.utf8.allSatisfy {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0) || $0 == UInt8(ascii: "-")
        }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard isPlain, parts.map(\.utf8.count) == [8, 6, 8] else { return nil }
        rawValue = text
    }

    package var description: String { rawValue }

    package static func < (left: JobIdentifier, right: JobIdentifier) -> Bool {
        left.rawValue < right.rawValue
    }
}
