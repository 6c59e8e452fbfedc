import Foundation
import Subprocess
import Synchronization
import SystemPackage

/// An untrusted program, which certainly ends.
///
/// It runs in a session of its own, with only the given environment and its three standard descriptors.
package struct ChildProcess: Sendable {
    package typealias Sink = @Sendable (ArraySlice<UInt8>) -> Void

    /// How the program ended.
    package enum Ending: Sendable, Equatable {
        case exited(Int32)
        /// By a signal that this process did not send.
        case signalled(Int32)
        case timedOut
        case tooMuchOutput
        /// The task that waited for it was cancelled.
        case cancelled
    }

    /// An absolute path.
    package let executable: String
    package let arguments: [String]
    package let directory: String
    package var environment: [String: String] = [:]
    /// The bytes of standard input, which then stays open; nil for an empty standard input.
    package var input: [UInt8]?
    package var limits: ProcessLimits
    /// The user to run as; nil for the server's own.
    ///
    /// Only root may set it.
    package var user: SystemUser?
    /// An environment variable with a unique value, by which processes that left the session are found.
    package var mark: ProcessMark?

    package init(
        _ executable: String,
        _ arguments: [String],
        in directory: String,
        limits: ProcessLimits,
    ) {
        self.executable = executable
        self.arguments = arguments
        self.directory = directory
        self.limits = limits
    }

    /// Runs the program until it ends.
    ///
    /// When its time is over, when it writes too much, or when the task is cancelled, its whole process
    /// group gets SIGTERM, and then SIGKILL.
    ///
    /// - Parameters:
    ///   - output: receives the pieces of standard output as they arrive, on another thread.
    ///   - errors: receives those of standard error; if nil, both go to `output`, in their order.
    /// - Returns: how it ended; as far as the system shows, no process that it started is left then.
    /// - Throws: ``ProcessFailure`` if it cannot be started.
    package func run(output: @escaping Sink, errors: Sink? = nil) async throws -> Ending {
        let outputPipe = try OutputPipe()
        let errorPipe = try errors.map { _ in try OutputPipe() }
        let count = Mutex(0)
        let (overflow, overflowing) = AsyncStream.makeStream(of: Void.self)
        let limit = limits.output
        let counted: @Sendable (ArraySlice<UInt8>, Sink) -> Void = { piece, sink in
            let room = count.withLock { count in
                let room = limit - count
                count += piece.count
                return room
            }
            if room > 0 { sink(piece.prefix(room)) }
            if piece.count > room { overflowing.finish() }
        }
        async let read: Void = outputPipe.read { counted($0, output) }
        async let readErrors: Void? = errorPipe?.read { piece in
            if let errors { counted(piece, errors) }
        }
        let outcome = await outcome(
            configuration,
            outputPipe: outputPipe,
            errorPipe: errorPipe,
            overflow: overflow,
        )
        outputPipe.finish()
        errorPipe?.finish()
        _ = await (read, readErrors)
        overflowing.finish()
        // The process may have ended before its excessive output was read.
        let isTooMuch = count.withLock { $0 > limit }
        return switch try outcome.get() {
        case .exited where isTooMuch, .signalled where isTooMuch: .tooMuchOutput
        case let ending: ending
        }
    }

    private enum Event: Sendable {
        case ended(Result<TerminationStatus, any Error>)
        case stop(Ending)
        case nothing
    }

    private func outcome(
        _ configuration: Configuration,
        outputPipe: OutputPipe,
        errorPipe: OutputPipe?,
        overflow: AsyncStream<Void>,
    ) async -> Result<Ending, any Error> {
        let (mark, limits) = (mark, limits)
        let group = await blocking {
            let group = ProcessGroup(mark?.group())
            group.bound(by: limits)
            return group
        }
        let time = limits.time
        let (status, reason) = await withTaskGroup(of: Event.self) { tasks in
            tasks.addTask {
                do {
                    return .ended(
                        .success(
                            try await termination(configuration, outputPipe, errorPipe, group)
                        )
                    )
                } catch {
                    return .ended(.failure(error))
                }
            }
            tasks.addTask {
                do { try await Task.sleep(for: time) } catch { return .nothing }
                return .stop(.timedOut)
            }
            tasks.addTask {
                for await _ in overflow {}
                return Task.isCancelled ? .nothing : .stop(.tooMuchOutput)
            }
            var status: Result<TerminationStatus, any Error>?
            var reason: Ending?
            for await event in tasks {
                switch event {
                case .ended(let result): status = result
                case .stop(let ending): reason = status == nil ? reason ?? ending : reason
                case .nothing: continue
                }
                tasks.cancelAll()
            }
            return (status, reason)
        }
        await blocking {
            group.kill()
            _ = mark?.killNow()
        }
        if let reason { return .success(reason) }
        if Task.isCancelled { return .success(.cancelled) }
        switch status {
        case .success(.exited(let code)): return .success(.exited(code))
        case .success(.signaled(let signal)): return .success(.signalled(signal))
        case .failure(let error):
            return .failure(ProcessFailure(executable, notStarted: error))
        case nil: return .success(.cancelled)
        }
    }

    private func termination(
        _ configuration: Configuration,
        _ outputPipe: OutputPipe,
        _ errorPipe: OutputPipe?,
        _ group: ProcessGroup,
    ) async throws -> TerminationStatus {
        let output = FileDescriptor(rawValue: outputPipe.writer)
        let gate = try StartGate(input: self.input)
        defer { gate.finish() }
        let input = FileDescriptor(rawValue: gate.reader)
        guard let errorPipe else {
            return try await Subprocess.run(
                configuration,
                input: .fileDescriptor(input, closeAfterSpawningProcess: false),
                output: .fileDescriptor(output, closeAfterSpawningProcess: true),
                error: .combinedWithOutput,
                body: {
                    group.began($0.processIdentifier.value)
                    gate.open()
                },
            ).terminationStatus
        }
        let errors = FileDescriptor(rawValue: errorPipe.writer)
        return try await Subprocess.run(
            configuration,
            input: .fileDescriptor(input, closeAfterSpawningProcess: false),
            output: .fileDescriptor(output, closeAfterSpawningProcess: true),
            error: .fileDescriptor(errors, closeAfterSpawningProcess: true),
            body: {
                group.began($0.processIdentifier.value)
                gate.open()
            },
        ).terminationStatus
    }

    /// The program and its arguments, preceded by the program that changes the user.
    ///
    /// Changing the user between `fork` and `exec` would take a lock of the C library, which another thread
    /// may have held at the moment of the fork; the child would then wait for ever.
    private var words: [String] {
        #if os(Linux)
        if let user {
            return [
                SystemUser.changer, "--reuid=\(user.user)", "--regid=\(user.group)",
                "--clear-groups", "--no-new-privs", "--", executable,
            ] + arguments
        }
        #endif
        return [executable] + arguments
    }

    /// Runs the program through a shell that sets its limits.
    private var configuration: Configuration {
        var options = PlatformOptions()
        options.createSession = true
        options.teardownSequence = [
            .send(
                signal: .terminate,
                toProcessGroup: true,
                allowedDurationToNextStep: limits.patience,
            )
        ]
        #if !os(Linux)
        if let user {
            options.userID = user.user
            options.groupID = user.group
            options.supplementaryGroups = []
        }
        #endif
        var environment = environment
        if let mark { environment[ProcessMark.variable] = mark.value }
        let entries = environment.sorted { $0.key < $1.key }
            .map { Array("\($0.key)=\($0.value)\0".utf8) }
        return Configuration(
            executable: .path("/bin/sh"),
            arguments: Arguments(
                ["-c", limits.shellProgram(keepingInput: self.input != nil), "sh"] + words
            ),
            environment: .custom(entries),
            workingDirectory: FilePath(directory),
            platformOptions: options,
        )
    }
}

/// The session that a program leads, once it has started, and the control group around it.
private final class ProcessGroup: Sendable {
    private let leader = Mutex<pid_t?>(nil)
    private let controls: ControlGroup?

    init(_ controls: ControlGroup?) {
        self.controls = controls
    }

    func bound(by limits: ProcessLimits) {
        controls?.bound(memory: limits.memory, processes: limits.processes)
    }

    func began(_ process: pid_t) {
        leader.withLock { $0 = process }
        controls?.add(process)
    }

    /// Kills what the program left behind, in its process group and in its control group.
    func kill() {
        if let leader = leader.withLock({ $0 }), leader > 1 { Foundation.kill(-leader, SIGKILL) }
        controls?.end()
    }
}
