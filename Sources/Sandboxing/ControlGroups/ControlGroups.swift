import Bytes
import Essentials

/// The parent of the control groups that this program creates.
///
/// It exists only where the program may create groups: as root, or in a service with `Delegate=yes`. Limits
/// of memory and of processes work if the system has delegated those controllers to the program's own
/// group.
package struct ControlGroups: Sendable {
    private let parent: String
    /// The limits that the system enforces for all processes of a group together.
    let bounds: Bounds

    struct Bounds: OptionSet, Sendable {
        let rawValue: Int

        static let memory = Bounds(rawValue: 1)
        static let processes = Bounds(rawValue: 2)
    }

    /// The group below its own into which the program moves.
    private static let leaf = "ota-server"

    /// Prepares this program's own group for subgroups, and moves the program into one of them if the
    /// system requires that.
    ///
    /// A program that runs builds calls this once, when it starts, and passes the value on.
    ///
    /// - Returns: nil if the program may not create groups.
    package static func prepare() -> ControlGroups? {
        #if os(Linux)
        guard let mount = mountPoint, var own = ownPath, !own.split(separator: "/").contains("..")
        else { return nil }
        // This process has already moved.
        if own.hasBytes(last: "/" + leaf) { own = String(own.dropLast(leaf.utf8.count + 1)) }
        let parent = own == "/" || own.isEmpty ? mount : mount + own
        guard FileManager.default.isWritableFile(atPath: parent + "/cgroup.procs") else {
            return nil
        }
        share(parent)
        return ControlGroups(below: parent)
        #else
        return nil
        #endif
    }

    private init(below parent: String) {
        self.parent = parent
        let controllers = ControlGroupFile.words(of: parent + "/cgroup.subtree_control")
        var bounds: Bounds = []
        if controllers.contains("memory") { bounds.insert(.memory) }
        if controllers.contains("pids") { bounds.insert(.processes) }
        self.bounds = bounds
    }

    /// Creates a group; nil if the system refuses, or the name does not consist of letters and digits.
    func group(named name: String) -> ControlGroup? {
        guard name.allSatisfy({ $0.isLetter || $0.isNumber }) else { return nil }
        return ControlGroup(at: "\(parent)/ota-\(name)")
    }

    /// The limits that apply to builds on this machine, as a line of their logs.
    package static func sentence(for groups: ControlGroups?) -> String {
        guard let bounds = groups?.bounds else {
            return "limits: per process; a daemon that wipes its environment may outlive the build"
        }
        var bounded: [String] = []
        if bounds.contains(.memory) { bounded.append("memory") }
        if bounds.contains(.processes) { bounded.append("processes") }
        let words = bounded.isEmpty ? "" : ", which bounds \(bounded.joined(separator: " and "))"
        return "limits: control group\(words)"
    }

    // MARK: Preparation

    /// Enables limits for subgroups.
    ///
    /// Only a group without processes of its own may enable controllers for its subgroups, so the program
    /// moves into a subgroup if it is alone in its group.
    private static func share(_ parent: String) {
        let wanted = ControlGroupFile.words(of: parent + "/cgroup.controllers")
            .filter { ["memory", "pids"].contains($0) }
        guard !wanted.isEmpty else { return }
        let request = wanted.map { "+\($0)" }.joined(separator: " ")
        let control = parent + "/cgroup.subtree_control"
        if ControlGroupFile.write(request, to: control) { return }
        let processes = parent + "/cgroup.procs"
        guard ControlGroupFile.words(of: processes) == ["\(getpid())"] else { return }
        let folder = "\(parent)/\(leaf)"
        guard ControlGroupFile.makeFolder(folder),
            ControlGroupFile.write("\(getpid())", to: folder + "/cgroup.procs")
        else { return }
        if !ControlGroupFile.write(request, to: control) {
            ControlGroupFile.write("\(getpid())", to: processes)
        }
    }

    private static var mountPoint: String? {
        ControlGroupFile.lines(of: "/proc/self/mountinfo").lazy
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
        ControlGroupFile.lines(of: "/proc/self/cgroup").lazy.compactMap { $0.droppingPrefix("0::") }
            .first
    }
}
