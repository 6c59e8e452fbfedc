import Essentials

/// Finds processes that a build left running, even in a session of their own, by an environment variable
/// that every child inherits.
///
/// A process that wipes its environment is not found by it, but ends with its control group, if there is
/// one, and in `bwrap`.
package struct ProcessMark: Sendable {
    package static let variable = "OTA_RUN_MARK"

    /// Unpredictable letters and digits.
    let value: String
    /// Creates control groups for the marked processes; nil if there are none.
    let controlGroups: ControlGroups?

    package init(_ value: String, in controlGroups: ControlGroups? = nil) {
        self.value = value
        self.controlGroups = controlGroups
    }

    /// A control group for the marked processes; nil if the program may not create any.
    func group() -> ControlGroup? { controlGroups?.group(named: value) }

    /// Kills every marked process, until none is left or after a thousand rounds.
    ///
    /// - Returns: the number of processes killed.
    @discardableResult
    package func killAll() async -> Int {
        await blocking { killNow() }
    }

    /// Does the same as ``killAll()``.
    ///
    /// It blocks, so it must not be called on a thread of the cooperative pool.
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

    /// Only Linux exposes the environment of other processes; elsewhere none is found.
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
        // A build's environment is bounded; that of others may be longer.
        while bytes.count < 1 << 20 {
            let count = unsafe read(file, &piece, piece.count)
            guard count > 0 else { break }
            bytes += piece[..<count]
        }
        return bytes
    }
}
