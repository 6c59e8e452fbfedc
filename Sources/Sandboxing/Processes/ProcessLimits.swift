/// How much one program may take, with all that it starts.
///
/// What every system counts is per process, or per user: a program that runs as another user than
/// the server is bounded better than one that does not, and root is not bounded in processes at
/// all. A control group counts for all of them together, where there is one.
package struct ProcessLimits: Sendable, Equatable {
    /// Until the program gets SIGTERM.
    package var time: Duration
    /// Between SIGTERM and SIGKILL.
    package var patience: Duration = .seconds(5)
    /// Bytes on standard output and standard error together.
    package var output: Int
    /// Bytes of any one file that it writes.
    package var fileSize: Int?
    /// Bytes of address space of each process.
    package var memory: Int?
    /// Processes of the user that it runs as.
    package var processes: Int?
    package var openFiles: Int? = 1024

    package init(time: Duration, output: Int) {
        self.time = time
        self.output = output
    }

    /// The words of a shell that set the limits and then become the program, which is in `"$@"`.
    ///
    /// A limit that cannot be set ends the shell: nothing runs unbounded by mistake. One that is lower
    /// already is kept.
    func shellProgram(keepingInput keepsInput: Bool) -> String {
        var lines = [StartGate.shellProgram(keepingInput: keepsInput), "ulimit -c 0"]
        // POSIX counts blocks of 512 bytes; the others are in 1024 bytes.
        if let fileSize { lines.append("ulimit -f \((fileSize + 511) / 512)") }
        if let memory { lines.append("ulimit -v \((memory + 1023) / 1024)") }
        if let openFiles { lines.append("ulimit -n \(openFiles) 2>/dev/null || :") }
        // The shells do not agree on the letter.
        if let processes {
            lines.append("ulimit -u \(processes) 2>/dev/null || ulimit -p \(processes)")
        }
        return lines.map { "{ \($0); } || exit 125" }.joined(separator: "\n") + "\nexec \"$@\""
    }
}
