import Foundation
import Glibc

/// The kernel's figures about a process.
struct ProcessFacts {
    /// CPU time since its start in seconds, user and system together.
    let processor: Double
    /// Memory in bytes.
    let resident: Double
    private let parent: pid_t

    /// Parses `/proc/PID/stat`, whose fields are counted after the name, since that may contain any
    /// characters.
    private init?(_ identifier: pid_t) {
        let folder = "/proc/\(identifier)/"
        guard let text = try? String(contentsOfFile: folder + "stat", encoding: .utf8),
            let name = text.lastIndex(of: ")")
        else { return nil }
        let fields = text[name...].split(separator: " ")
        guard fields.count > 22, let parent = pid_t(fields[2]), let pages = Double(fields[22]),
            let seconds = Self.exactProcessor(identifier)
        else { return nil }
        self.parent = parent
        processor = seconds
        resident = Self.exactResident(folder) ?? pages * Double(sysconf(Int32(_SC_PAGESIZE)))
    }

    /// A process and its children.
    static func family(of identifier: pid_t) -> [ProcessFacts] {
        let others = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        let children = others.compactMap { pid_t($0) }.compactMap { Self($0) }
            .filter { $0.parent == identifier }
        return children + [Self(identifier)].compactMap(\.self)
    }

    /// The CPU clock of a process counts nanoseconds, while `stat` counts ticks of ten milliseconds.
    private static func exactProcessor(_ identifier: pid_t) -> Double? {
        var clock = clockid_t()
        var time = timespec()
        guard unsafe clock_getcpuclockid(identifier, &clock) == 0,
            unsafe clock_gettime(clock, &time) == 0
        else { return nil }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// The kernel's fast counters are inexact by some pages for every thread; this one is exact.
    private static func exactResident(_ folder: String) -> Double? {
        guard let text = try? String(contentsOfFile: folder + "smaps_rollup", encoding: .utf8)
        else { return nil }
        let line = text.split(separator: "\n").first { $0.hasPrefix("Rss:") }
        return line?.split(separator: " ").dropFirst().first.flatMap { Double($0) }
            .map { $0 * 1024 }
    }
}
