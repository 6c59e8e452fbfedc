import Bytes
import Foundation

/// A control group of Linux, version 2, around a program and everything that it starts: nothing that
/// was started in it leaves it, whatever session, environment or parent it chooses.
///
/// It is there where the server may make one: as root, or in a service with `Delegate=yes`. Limits of
/// memory and of processes hold where the system has given those controllers to the server's own group.
package struct ControlGroup: Sendable {
    private let path: String

    /// What the system bounds for all processes of a group together.
    struct Bounds: OptionSet, Sendable {
        let rawValue: Int
        static let memory = Bounds(rawValue: 1)
        static let processes = Bounds(rawValue: 2)
    }

    /// Makes one; nil where the server may not.
    init?(named name: String) {
        Self.prepare()
        guard let parent = Self.parent, name.allSatisfy({ $0.isLetter || $0.isNumber }) else {
            return nil
        }
        path = "\(parent)/ota-\(name)"
        guard Self.make(path), FileManager.default.isWritableFile(atPath: path + "/cgroup.kill")
        else {
            _ = unsafe rmdir(path)
            return nil
        }
    }

    /// Whether builds are kept together on this machine, and what is bounded for one as a whole; nothing is
    /// changed to find out.
    static var available: Bounds? {
        parent.map { parent in
            let controllers = words(of: parent + "/cgroup.subtree_control")
            var bounds: Bounds = []
            if controllers.contains("memory") { bounds.insert(.memory) }
            if controllers.contains("pids") { bounds.insert(.processes) }
            return bounds
        }
    }

    /// Lets groups have limits on this machine, once for this process, which may move into a group of its
    /// own for that: only code that is about to build asks for it.
    package static func prepare() { _ = preparation }

    private static let preparation: Void = {
        if let parent { share(parent) }
    }()

    /// What holds for builds on this machine, for their logs.
    package static var sentence: String {
        guard let available else {
            return "limits: per process; a daemon that wipes its environment may outlive the build"
        }
        var bounded: [String] = []
        if available.contains(.memory) { bounded.append("memory") }
        if available.contains(.processes) { bounded.append("processes") }
        let words = bounded.isEmpty ? "" : ", which bounds \(bounded.joined(separator: " and "))"
        return "limits: control group\(words)"
    }

    /// Bounds all its processes together, as far as ``available`` says.
    func bound(memory: Int?, processes: Int?) {
        if let memory {
            write("\(memory)", to: "memory.max")
            // A build that has lost one of its processes is not a build any more.
            write("1", to: "memory.oom.group")
        }
        if let processes { write("\(processes)", to: "pids.max") }
    }

    /// - Returns: false where the process is gone, or the system refuses.
    @discardableResult
    func add(_ process: pid_t) -> Bool {
        write("\(process)", to: "cgroup.procs")
    }

    /// Kills everything in it and removes it.
    func end() {
        write("1", to: "cgroup.kill")
        // It can be removed when the last process has noticed.
        for _ in 0..<1000 {
            guard unsafe rmdir(path) != 0, errno == EBUSY else { return }
            usleep(2000)
        }
    }

    @discardableResult
    private func write(_ text: String, to name: String) -> Bool {
        Self.write(text, to: "\(path)/\(name)")
    }

    // MARK: Where groups are made

    /// The server's own group as it was at first, if it may make others below.
    private static let parent: String? = {
        #if os(Linux)
        guard let mount = mountPoint, let own = ownPath, !own.split(separator: "/").contains("..")
        else { return nil }
        let parent = own == "/" ? mount : mount + own
        guard FileManager.default.isWritableFile(atPath: parent + "/cgroup.procs") else {
            return nil
        }
        return parent
        #else
        return nil
        #endif
    }()

    /// Lets groups below have limits.
    ///
    /// The system lets only groups without processes of their own share, so the server moves into one
    /// below where it is alone.
    private static func share(_ parent: String) {
        let wanted = words(of: parent + "/cgroup.controllers")
            .filter { ["memory", "pids"].contains($0) }
        guard !wanted.isEmpty else { return }
        let request = wanted.map { "+\($0)" }.joined(separator: " ")
        if write(request, to: parent + "/cgroup.subtree_control") { return }
        guard words(of: parent + "/cgroup.procs") == ["\(getpid())"] else { return }
        let leaf = parent + "/ota-server"
        guard make(leaf),
            write("\(getpid())", to: leaf + "/cgroup.procs")
        else { return }
        if !write(request, to: parent + "/cgroup.subtree_control") {
            write("\(getpid())", to: parent + "/cgroup.procs")
        }
    }

    private static func make(_ path: String) -> Bool {
        unsafe mkdir(path, 0o755) == 0 || errno == EEXIST
    }

    private static var mountPoint: String? {
        lines(of: "/proc/self/mountinfo").lazy
            .map { $0.split(separator: " ") }
            .first { fields in
                guard let dash = fields.firstIndex(of: "-"), dash + 1 < fields.count else {
                    return false
                }
                return fields[dash + 1] == "cgroup2" && fields.count > 4
            }
            .map { String($0[4]) }
    }

    private static var ownPath: String? {
        lines(of: "/proc/self/cgroup").lazy.compactMap { $0.droppingPrefix("0::") }.first
    }

    private static func lines(of path: String) -> [String] {
        let text = try? String(contentsOfFile: path, encoding: .utf8)
        return text?.split(separator: "\n").map(String.init) ?? []
    }

    private static func words(of path: String) -> [String] {
        lines(of: path).flatMap { $0.split(separator: " ").map(String.init) }
    }

    @discardableResult
    private static func write(_ text: String, to path: String) -> Bool {
        let file = unsafe open(path, O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        let bytes = Array(text.utf8)
        return unsafe Foundation.write(file, bytes, bytes.count) == bytes.count
    }
}
