import Essentials

/// A Linux control group (cgroup v2) around a program and all its descendants.
///
/// No process started in it can leave it, whatever session, environment or parent it chooses.
struct ControlGroup: Sendable {
    private let path: String

    /// Creates the group; nil if the system refuses.
    init?(at path: String) {
        self.path = path
        guard ControlGroupFile.makeFolder(path),
            FileManager.default.isWritableFile(atPath: path + "/cgroup.kill")
        else {
            _ = unsafe rmdir(path)
            return nil
        }
    }

    /// Limits all its processes together, as far as ``ControlGroups/bounds`` says.
    ///
    /// `memory` is in bytes.
    func bound(memory: Int?, processes: Int?) {
        if let memory {
            write("\(memory)", to: "memory.max")
            // A build that has lost one of its processes cannot succeed.
            write("1", to: "memory.oom.group")
        }
        if let processes { write("\(processes)", to: "pids.max") }
    }

    /// - Returns: false if the process has ended, or the system refuses.
    @discardableResult
    func add(_ process: pid_t) -> Bool {
        write("\(process)", to: "cgroup.procs")
    }

    /// Kills every process in the group and removes it, which takes at most two seconds.
    ///
    /// It blocks, so it must not be called on a thread of the cooperative pool.
    func end() {
        write("1", to: "cgroup.kill")
        // The group can be removed once its last process has ended.
        for _ in 0..<1000 {
            guard unsafe rmdir(path) != 0, errno == EBUSY else { return }
            usleep(2000)
        }
    }

    @discardableResult
    private func write(_ text: String, to name: String) -> Bool {
        ControlGroupFile.write(text, to: "\(path)/\(name)")
    }
}
