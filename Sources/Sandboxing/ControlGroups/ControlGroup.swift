import Essentials

/// A control group of Linux, version 2, around a program and everything that it starts: nothing that
/// was started in it leaves it, whatever session, environment or parent it chooses.
struct ControlGroup: Sendable {
    private let path: String

    /// Creates it; nil where the system refuses.
    init?(at path: String) {
        self.path = path
        guard ControlGroupFile.makeFolder(path),
            FileManager.default.isWritableFile(atPath: path + "/cgroup.kill")
        else {
            _ = unsafe rmdir(path)
            return nil
        }
    }

    /// Bounds all its processes together, as far as ``ControlGroups/bounds`` says.
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

    /// Kills everything in it and removes it, which takes at most two seconds.
    ///
    /// It sleeps meanwhile, so it must not be called on a thread of the cooperative pool.
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
        ControlGroupFile.write(text, to: "\(path)/\(name)")
    }
}
