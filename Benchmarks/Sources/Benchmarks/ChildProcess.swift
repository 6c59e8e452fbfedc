import Foundation
import Glibc

/// A running program in a process group of its own.
struct ChildProcess {
    let identifier: pid_t

    /// Starts a program that is found in `PATH`.
    ///
    /// - Parameters:
    ///   - words: the program and its arguments.
    ///   - environment: its environment.
    ///   - output: the file that receives standard output and error; nil to keep those of this process, and
    ///     its process group.
    /// - Throws: ``BenchmarkFailure/notStarted(program:reason:)``.
    init(
        _ words: [String],
        environment: [String: String],
        output: String?,
    ) throws(BenchmarkFailure) {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        if let output {
            let flags = O_WRONLY | O_CREAT | O_TRUNC
            let null = "/dev/null"
            unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, null, O_RDONLY, 0)
            unsafe posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, flags, 0o600)
            unsafe posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
            unsafe posix_spawnattr_setpgroup(&attributes, 0)
            unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        }

        var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
        var variables = unsafe environment.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
        defer { unsafe (arguments + variables).forEach { unsafe free($0) } }
        var identifier: pid_t = 0
        let status = unsafe posix_spawnp(
            &identifier,
            words[0],
            &actions,
            &attributes,
            &arguments,
            &variables,
        )
        guard status == 0 else {
            let reason = unsafe String(cString: strerror(status))
            throw .notStarted(program: words[0], reason: reason)
        }
        self.identifier = identifier
    }

    /// The result of a program that has ended.
    struct End {
        /// The exit status; 128 plus the signal's number if a signal ended it.
        let status: Int32
        /// CPU time in seconds, user and system together.
        let processor: Double
        /// Maximum resident set size in bytes, or that of the process which started the program if that was
        /// larger at the time.
        let residentPeak: Int
    }

    func wait() -> End {
        var status: Int32 = 0
        var usage = rusage()
        while unsafe wait4(identifier, &status, 0, &usage) < 0, errno == EINTR {}
        let signal = status & 0x7f
        return End(
            status: signal == 0 ? status >> 8 & 0xff : 128 + signal,
            processor: usage.ru_utime.seconds + usage.ru_stime.seconds,
            residentPeak: usage.ru_maxrss << 10,
        )
    }

    /// Sends a signal to the program and its children.
    func send(_ signal: Int32) { kill(-identifier, signal) }
}

extension timeval {
    fileprivate var seconds: Double { Double(tv_sec) + Double(tv_usec) / 1e6 }
}
