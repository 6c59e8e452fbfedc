import Bytes
import Foundation
import Mirrors
import Sandboxing

/// Runs the steps of one build, one after the other.
struct StepRunner: Sendable {
    let mirror: Mirror
    let run: MirrorRun
    let workspace: Workspace
    let environment: [String: String]
    /// Set last, so that a pipeline cannot override one with a variable of the same name.
    let secrets: [String: String]
    let time: BuildTime
    /// Paths that no build may see, whatever else is mounted for it.
    let hidden: [String]
    let controlGroups: ControlGroups?

    /// The user as whom steps run; nil to run them as the server's user.
    ///
    /// - Throws: ``MirrorRefusal``.
    func user() throws(MirrorRefusal) -> SystemUser? {
        guard let name = mirror.user else { return nil }
        guard let user = SystemUser(named: name) else { throw .noUser(name) }
        guard SystemUser.isRoot || user.isOwn else { throw .needsRoot(name) }
        return SystemUser.isRoot ? user : nil
    }

    func run(_ step: Pipeline.Step, _ log: BuildLog) async throws -> ChildProcess.Ending {
        let directory = try directory(of: step)
        var process = try process(step, in: directory)
        process.environment = environment.merging(step.environment) { _, new in new }
            .merging(secrets) { _, new in new }
        process.user = try user()
        process.mark = run.mark.map { ProcessMark($0, in: controlGroups) }
        return try await process.run(output: { log.append($0) })
    }

    private func process(
        _ step: Pipeline.Step,
        in directory: String,
    ) throws(MirrorRefusal) -> ChildProcess {
        let left = time.deadline - .now
        let time = step.timeout.map { min(.seconds($0), left) } ?? left
        var limits = ProcessLimits(time: max(.zero, time), output: mirror.limits.logBytes)
        limits.fileSize = mirror.limits.fileBytes
        limits.memory = mirror.limits.memory
        limits.processes = mirror.limits.processes
        let (shell, words) = Self.shell(for: step.run)
        switch mirror.isolation {
        case .none: return ChildProcess(shell, words, in: directory, limits: limits)
        case .bwrap:
            guard let bwrap = Sandbox.executable else { throw .noSandbox }
            var sandbox = Sandbox(
                folder: workspace.root,
                allowsNetwork: mirror.allowsNetwork,
                readable: mirror.readableFolders ?? [],
                hidden: hidden,
            )
            if let memory = limits.memory {
                sandbox.temporaryBytes = min(memory, sandbox.temporaryBytes)
            }
            let arguments = sandbox.arguments(for: shell, words, in: directory)
            return ChildProcess(bwrap, arguments, in: workspace.root, limits: limits)
        }
    }

    /// The time limit that a step exceeded, as the end of a sentence.
    func reason(forEnding step: Pipeline.Step) -> String {
        if let timeout = step.timeout, time.deadline > .now {
            return "took longer than its timeout of \(timeout) s and was killed"
        }
        return "was stopped: \(time)"
    }

    /// `bash` as on hosted CI, if it is installed; a command that fails ends the step.
    private static func shell(for script: String) -> (String, [String]) {
        let bash = ["/bin/bash", "/usr/bin/bash"]
            .first { FileManager.default.isExecutableFile(atPath: $0) }
        guard let bash else { return ("/bin/sh", ["-e", "-c", script]) }
        return (bash, ["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script])
    }

    /// The working directory of a step, whose real path must be in the checkout.
    private func directory(of step: Pipeline.Step) throws -> String {
        guard let path = step.workingDirectory else { return workspace.checkout }
        let folder = Self.realPath(workspace.checkout + "/" + path)
        let top = Self.realPath(workspace.checkout)
        var isFolder: ObjCBool = false
        guard folder == top || folder.hasBytes(first: top + "/"),
            unsafe FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder),
            isFolder.boolValue
        else {
            throw BuildStop.failed(
                "the working directory `\(path)` of step “\(step.name)” is not a folder"
            )
        }
        return workspace.checkout + "/" + path
    }

    private static func realPath(_ path: String) -> String {
        URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
    }
}
