/// The limits of one program and everything that it starts.
///
/// Most systems count per process or per user: a program that runs as another user than the server is
/// limited better than one that does not, and the number of root's processes is not limited at all. A
/// control group, if there is one, counts all processes together.
package struct ProcessLimits: Sendable, Equatable {
    /// The time until the program gets SIGTERM.
    package var time: Duration
    /// The time between SIGTERM and SIGKILL.
    package var patience: Duration = .seconds(5)
    /// Bytes on standard output and standard error together.
    package var output: Int
    /// Bytes of any one file that it writes.
    package var fileSize: Int?
    /// Bytes of address space of each process.
    package var memory: Int?
    /// The number of processes of the user that it runs as.
    package var processes: Int?
    package var openFiles: Int? = 1024

    package init(time: Duration, output: Int) {
        self.time = time
        self.output = output
    }

    /// Returns a shell script that sets the limits and then executes the program in `"$@"`.
    ///
    /// If a limit cannot be set, the shell exits: nothing runs unlimited by mistake. Only the limit of open
    /// files stays as it is then, because it is already lower.
    func shellProgram(keepingInput keepsInput: Bool) -> String {
        var lines = [StartGate.shellProgram(keepingInput: keepsInput), "ulimit -c 0"]
        // POSIX uses blocks of 512 bytes for this limit; the others are in units of 1024 bytes.
        if let fileSize { lines.append("ulimit -f \((fileSize + 511) / 512)") }
        if let memory { lines.append("ulimit -v \((memory + 1023) / 1024)") }
        if let openFiles { lines.append("ulimit -n \(openFiles) 2>/dev/null || :") }
        // Shells use different letters for this limit.
        if let processes {
            lines.append("ulimit -u \(processes) 2>/dev/null || ulimit -p \(processes)")
        }
        return lines.map { "{ \($0); } || exit 125" }.joined(separator: "\n") + "\nexec \"$@\""
    }
}
