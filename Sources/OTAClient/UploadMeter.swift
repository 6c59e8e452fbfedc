package import Foundation

/// Measures the rate of an upload, and estimates the remaining time.
///
/// The rate is that of the last seconds; bytes that had to be sent again do not count.
package struct UploadMeter: Sendable {
    /// Seconds over which the rate is measured.
    private static let span = 8.0

    private let size: Int
    private var samples: [(time: Date, offset: Int)] = []

    /// - Parameter size: the size of the whole upload, in bytes.
    package init(size: Int) {
        self.size = size
    }

    /// Records the offset that the upload has reached.
    package mutating func note(_ offset: Int, at time: Date) {
        if let last = samples.last, offset < last.offset { samples = [] }
        samples.append((time, offset))
        while samples.count > 2, time.timeIntervalSince(samples[1].time) > Self.span {
            samples.removeFirst()
        }
    }

    /// Bytes per second; nil while unknown.
    package var rate: Double? {
        guard let first = samples.first, let last = samples.last else { return nil }
        let seconds = last.time.timeIntervalSince(first.time)
        guard seconds > 0.2, last.offset > first.offset else { return nil }
        return Double(last.offset - first.offset) / seconds
    }

    /// Seconds until the upload is complete at this rate; nil while unknown.
    package var remaining: Double? {
        guard let rate, let last = samples.last else { return nil }
        return Double(size - last.offset) / rate
    }
}
