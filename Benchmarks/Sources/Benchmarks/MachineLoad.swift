import Foundation

/// The load on the machine by other programs.
struct MachineLoad: Encodable {
    /// The load average of the last minute.
    let average: Double
    /// The share of all cores that was busy during half a second without a measurement.
    let busyShare: Double

    init() {
        let before = Self.ticks()
        Thread.sleep(forTimeInterval: 0.5)
        let after = Self.ticks()
        let all = after.all - before.all
        busyShare = all > 0 ? 1 - (after.idle - before.idle) / all : 0
        average =
            (try? String(contentsOfFile: "/proc/loadavg", encoding: .utf8))
            .flatMap { $0.split(separator: " ").first }.flatMap { Double($0) } ?? 0
    }

    var isBusy: Bool { busyShare > 0.15 }

    var text: String {
        String(format: "%.0f %% of all cores in use, average %.2f", busyShare * 100, average)
    }

    private static func ticks() -> (all: Double, idle: Double) {
        let text = (try? String(contentsOfFile: "/proc/stat", encoding: .utf8)) ?? ""
        let line = text.prefix { $0 != "\n" }
        let numbers = line.split(separator: " ").dropFirst().compactMap { Double($0) }
        guard numbers.count > 4 else { return (0, 0) }
        return (numbers.prefix(8).reduce(0, +), numbers[3] + numbers[4])
    }
}
