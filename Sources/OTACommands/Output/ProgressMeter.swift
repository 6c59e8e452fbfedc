import Foundation
import OTAClient
import Releases
import Synchronization

/// Shows the progress of an upload: rate and remaining time next to the bar, or occasional lines.
final class ProgressMeter: Sendable {
    private let bar: ProgressBar
    private let size: Int
    private let clock: @Sendable () -> Date
    private let meter: Mutex<UploadMeter>

    init(_ bar: ProgressBar, size: Int, clock: @escaping @Sendable () -> Date) {
        self.bar = bar
        self.size = size
        self.clock = clock
        meter = Mutex(UploadMeter(size: size))
    }

    func show(_ progress: UploadClient.Progress) {
        switch progress {
        case .sending(let offset, let size):
            let detail = meter.withLock { meter in
                meter.note(offset, at: clock())
                return Self.detail(meter)
            }
            bar.update(
                "Uploading",
                fraction: size > 0 ? Double(offset) / Double(size) : 1,
                detail: detail,
            )
        case .publishing(let phase, let fraction):
            bar.update(Self.title(phase), fraction: fraction)
        case .waiting(let seconds, let why):
            bar.remark("\(why); trying again in \(max(1, Int(seconds.rounded()))) s")
        }
    }

    /// Such as `12.4 MB/s, 1:05 left`.
    private static func detail(_ meter: UploadMeter) -> String {
        guard let rate = meter.rate, let remaining = meter.remaining else { return "" }
        let left = Int(remaining.rounded(.up))
        let time = "\(left / 60):" + (left % 60 < 10 ? "0" : "") + "\(left % 60)"
        return "\(Wording.size(Int(rate)))/s, \(time) left"
    }

    private static func title(_ phase: String) -> String {
        switch phase {
        case "queued": "Waiting for the server"
        case "storing": "Storing on the server"
        default: "Checking on the server"
        }
    }
}
