package import Cryptography
package import Foundation
package import Inspection
import Releases
import Synchronization

extension DeviceIndex {
    /// Which of the devices in use can install a build: places in the register, by name.
    package struct Coverage: Sendable {
        package let able: [Int]
        package let blocked: [Int]

        package init(able: [Int], blocked: [Int]) {
            self.able = able
            self.blocked = blocked
        }

        package var total: Int { able.count + blocked.count }
        /// Those that cannot install it first.
        package var places: [Int] { blocked + able }
    }

    /// Judges every device in use, or says what that came to a moment ago.
    ///
    /// - Parameters:
    ///   - report: what is known of the build.
    ///   - digest: of the report.
    ///   - date: now.
    /// - Returns: the devices that can, and those that cannot.
    package func coverage(
        by report: InspectionReport,
        _ digest: SHA256Digest,
        at date: Date,
    ) -> Coverage {
        let known = coverages.withLock { $0[digest] }
        if let known, abs(date.timeIntervalSince(known.date)) < Self.freshness {
            return known.coverage
        }
        var judge = ReportJudge(report, at: date)
        var (able, blocked): ([Int], [Int]) = ([], [])
        for place in active {
            if judge.verdict(for: devices[place].facts).verdict == .installs {
                able.append(place)
            } else {
                blocked.append(place)
            }
        }
        let coverage = Coverage(able: able, blocked: blocked)
        coverages.withLock { coverages in
            if coverages.count >= Self.mostCoverages { coverages.removeAll() }
            coverages[digest] = (coverage, date)
        }
        return coverage
    }

    /// Seconds for which a verdict on all devices is true enough to be counted; it changes with the register,
    /// with the report, and when a profile or a certificate expires.
    private static let freshness: TimeInterval = 60
    private static let mostCoverages = 32
}
