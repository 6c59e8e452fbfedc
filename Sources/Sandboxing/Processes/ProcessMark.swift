import Essentials

/// Finds what a build left running, even where it began a session of its own: by a variable of the
/// environment that every child inherits.
///
/// A process that wipes its environment is not found by it, but ends with its control group, where there
/// is one, and behind `bwrap`.
package struct ProcessMark: Sendable {
    package static let variable = "OTA_RUN_MARK"

    /// Unpredictable letters and digits.
    let value: String
    /// Where groups are made for what bears the mark; nil where there are none.
    let controlGroups: ControlGroups?

    package init(_ value: String, in controlGroups: ControlGroups? = nil) {
        self.value = value
        self.controlGroups = controlGroups
    }

    /// A control group for the processes that bear the mark; nil where the program may make none.
    func group() -> ControlGroup? { controlGroups?.group(named: value) }

    /// Kills every process that bears the mark, until there is none, or a thousand rounds were made.
    ///
    /// - Returns: how many there were.
    @discardableResult
    package func killAll() async -> Int {
        await blocking { killNow() }
    }

    /// Waits for the system, so it must not be called on a thread of the cooperative pool.
    @discardableResult
    func killNow() -> Int {
        group()?.end()
        var killed: Set<pid_t> = []
        for _ in 0..<1000 {
            let found = processes()
            guard !found.isEmpty else { break }
            for process in found { kill(process, SIGKILL) }
            killed.formUnion(found)
        }
        return killed.count
    }

    /// Only Linux shows the environment of others; elsewhere none is found.
    private func processes() -> [pid_t] {
        #if os(Linux)
        let needle = Array("\(Self.variable)=\(value)\0".utf8)
        let own = getpid()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { pid_t($0) }.filter { process in
            guard process != own, let environment = Self.environment(of: process) else {
                return false
            }
            return environment.firstRange(of: needle) != nil
        }
        #else
        return []
        #endif
    }

    private static func environment(of process: pid_t) -> [UInt8]? {
        let file = unsafe open("/proc/\(process)/environ", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 16384)
        // The environment of a build is bounded; others may have longer ones.
        while bytes.count < 1 << 20 {
            let count = unsafe read(file, &piece, piece.count)
            guard count > 0 else { break }
            bytes += piece[..<count]
        }
        return bytes
    }
}
