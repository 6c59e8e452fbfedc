import Bytes
import Essentials
package import Sandboxing

/// Runs `git` on repositories that may be hostile.
///
/// `git` reads configuration from five places, runs programs for hooks, filters, pagers, protocols and
/// credentials, and takes a name that begins with a hyphen for an option. Here its environment names none
/// of these; callers pass full reference names or hexadecimal commits, after `--end-of-options`.
package struct Git: Sendable {
    /// The working directory: a checkout, or a bare repository.
    package let directory: String
    /// Whether fetching from a folder on this machine is allowed.
    package var allowsFiles = false
    /// Whether the folder may belong to another user, as in CI containers.
    package var trustsDirectory = false
    /// Whether a checkout creates symbolic links; otherwise they become small files that contain the
    /// target.
    package var makesSymbolicLinks = false
    package var credential: GitCredential?
    /// The addresses to which a fetch is restricted, for HTTPS and for SSH.
    var routeSettings: [FetchRoute.Setting] = []
    var sshOptions = ""
    /// Settings that override all others.
    var overriding: [(key: String, value: String)] = []
    package var limits: ProcessLimits = {
        var limits = ProcessLimits(time: .seconds(60), output: 16 << 20)
        limits.openFiles = 4096
        return limits
    }()
    /// The variables that name proxies and trusted authorities; only those are passed on.
    package var surroundings: [String: String] = [:]

    package init(directory: String) {
        self.directory = directory
    }

    /// Returns the output as text.
    ///
    /// - Throws: ``GitFailure`` unless git exits with 0.
    package func output(_ arguments: [String]) async throws -> String {
        String(decoding: try await bytes(arguments), as: UTF8.self)
    }

    /// Returns the output, which may not be text.
    package func bytes(_ arguments: [String]) async throws -> [UInt8] {
        try Self.output(of: try await run(arguments), arguments)
    }

    package struct Outcome: Sendable {
        package let status: Int32
        package let output: [UInt8]
        package let errors: [UInt8]

        func says(_ words: String) -> Bool {
            errors.firstRange(of: Array(words.utf8)) != nil
        }

        /// The HTTP status with which the server redirected the request; nil if it did not.
        var redirection: Int? {
            [301, 302, 303, 307, 308].first { says("The requested URL returned error: \($0)") }
        }
    }

    /// Passes the output on piece by piece, on another thread, and keeps none of it.
    ///
    /// - Throws: as ``bytes(_:)``.
    func stream(
        _ arguments: [String],
        into sink: @escaping @Sendable (ArraySlice<UInt8>) -> Void,
    ) async throws {
        _ = try Self.output(of: try await run(arguments, output: sink), arguments)
    }

    private static func output(of ending: Outcome, _ arguments: [String]) throws -> [UInt8] {
        guard ending.status == 0 else {
            throw GitFailure.failed(
                verb(arguments),
                status: ending.status,
                said: lastWords(ending.errors),
            )
        }
        return ending.output
    }

    /// Runs git, whatever its exit status means.
    ///
    /// - Parameters:
    ///   - arguments: the subcommand and its arguments.
    ///   - sink: receives the output in pieces; the outcome then has none.
    ///   - progress: receives standard error in pieces.
    /// - Returns: exit status and output.
    /// - Throws: ``GitFailure`` if git is killed by a limit or a signal, ``ProcessFailure`` if it cannot
    ///   start, `CancellationError` if the task is cancelled.
    package func run(
        _ arguments: [String],
        output sink: (@Sendable (ArraySlice<UInt8>) -> Void)? = nil,
        progress: (@Sendable (ArraySlice<UInt8>) -> Void)? = nil,
    ) async throws -> Outcome {
        guard let executable = Self.executable else { throw ProcessFailure.notFound("git") }
        var process = ChildProcess(executable, arguments, in: directory, limits: limits)
        process.environment = try environment()
        let output = Collected()
        let errors = Collected()
        let ending = try await process.run(
            output: sink ?? { output.append($0) },
            errors: {
                errors.append($0)
                progress?($0)
            },
        )
        let verb = Self.verb(arguments)
        switch ending {
        case .exited(let status):
            return Outcome(status: status, output: output.bytes, errors: errors.bytes)
        case .signalled(SIGXFSZ): throw GitFailure.tooLarge(bytes: limits.fileSize ?? 0)
        case .signalled(let signal): throw GitFailure.signalled(verb, signal: signal)
        case .timedOut: throw GitFailure.timedOut(verb, limits.time)
        case .tooMuchOutput: throw GitFailure.tooMuchOutput(verb, bytes: limits.output)
        case .cancelled: throw CancellationError()
        }
    }

    /// Whether this `git` can be restricted to given addresses, which is possible since 2.37.
    static func holdsAddresses() async throws -> Bool {
        let words = try await Git(directory: "/").output(["version"]).split(separator: " ")
        guard words.count >= 3 else { return false }
        let numbers = words[2].split(separator: ".").prefix(2).compactMap { Int($0) }
        return numbers.count == 2 && (numbers[0], numbers[1]) >= (2, 37)
    }

    /// The first `git` in the usual folders; the caller's `PATH` is ignored.
    package static let executable = path.split(separator: ":").map { "\($0)/git" }
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    static let path = "/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin"

    /// The subcommand, for messages; this type's own options precede it.
    private static func verb(_ arguments: [String]) -> String {
        arguments.first { !$0.hasPrefix("-") } ?? "git"
    }

    private static let generalities = [
        "fatal: Could not read from remote repository",
        "Please make sure you have the correct access",
        "and the repository exists",
    ]

    /// The last meaningful lines, as one line.
    static func lastWords(_ errors: [UInt8]) -> String {
        let lines = String(decoding: errors.suffix(4096), as: UTF8.self)
            .split(whereSeparator: \.isNewline)
            .map { $0.trimmingWhitespace() }
            .filter { !$0.isEmpty && !$0.hasPrefix("hint:") }
        // The message of `ssh` precedes three lines that git adds to every failure.
        let telling = lines.filter { line in !generalities.contains(where: line.hasPrefix) }
        return (telling.isEmpty ? lines : telling).suffix(3).joined(separator: "; ")
    }
}
