package import Foundation

/// A program that was built with the tests, or any other, which is run as a child process.
package struct Program: Sendable {
    package let path: String

    package init(path: String) {
        self.path = path
    }

    /// A product of this package; nil if it was not built.
    package init?(built name: String) {
        let starts =
            CommandLine.arguments.prefix(1).map { URL(filePath: $0) }
            + [Bundle.main.bundleURL, URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()]
        let folders = starts.flatMap { start in
            sequence(first: start) { $0.deletingLastPathComponent() }.prefix(5)
        }
        let candidates = folders.map { $0.appending(path: name).path() }
        guard let path = candidates.first(where: Self.isProgram) else { return nil }
        self.init(path: path)
    }

    /// The result of a finished process.
    package struct Outcome: Sendable {
        /// The exit status; 128 plus the signal's number if a signal ended it, as in a shell.
        package let status: Int32
        package let output: String
        package let errors: String
    }

    /// Runs the program to its end, with `input` on standard input and `environment` added to the inherited
    /// one.
    ///
    /// Output is written to files, so that no amount of it blocks the process.
    package func run(
        _ arguments: [String],
        input: String? = nil,
        environment: [String: String] = [:],
        in folder: URL,
    ) async throws -> Outcome {
        let scratch = folder.appending(path: ".run-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: scratch) }
        let output = try Self.file("output", in: scratch)
        let errors = try Self.file("errors", in: scratch)
        let process = process(arguments, environment: environment, in: folder)
        process.standardOutput = output
        process.standardError = errors
        if let input {
            let file = scratch.appending(path: "input")
            try Data(input.utf8).write(to: file)
            process.standardInput = try FileHandle(forReadingFrom: file)
        } else {
            process.standardInput = FileHandle.nullDevice
        }
        let status = try await RunningProgram.status(of: process)
        // Foundation keeps a process object, and its files, long after the end.
        try output.close()
        try errors.close()
        return Outcome(
            status: status,
            output: try Self.text("output", in: scratch),
            errors: try Self.text("errors", in: scratch),
        )
    }

    /// Starts the program in the background; its standard error is appended to a file.
    package func start(
        _ arguments: [String],
        environment: [String: String] = [:],
        in folder: URL,
        errors: URL? = nil,
        input: Pipe? = nil,
    ) throws -> RunningProgram {
        let process = process(arguments, environment: environment, in: folder)
        process.standardInput = input ?? FileHandle.nullDevice
        let log = try errors.map { url in
            try Self.file(url.lastPathComponent, in: url.deletingLastPathComponent())
        }
        process.standardError = log ?? FileHandle.nullDevice
        let running = try RunningProgram(process)
        try log?.close()
        return running
    }

    private func process(
        _ arguments: [String],
        environment: [String: String],
        in folder: URL,
    ) -> Process {
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.currentDirectoryURL = folder
        // The machine's own proxy cannot reach a test's server.
        process.environment = ProcessInfo.processInfo.environment
            .filter { !$0.key.lowercased().hasSuffix("_proxy") }
            .merging(environment) { _, new in new }
        return process
    }

    private static func file(_ name: String, in folder: URL) throws -> FileHandle {
        let url = folder.appending(path: name)
        try Data().write(to: url)
        return try FileHandle(forWritingTo: url)
    }

    private static func text(_ name: String, in folder: URL) throws -> String {
        String(decoding: try Data(contentsOf: folder.appending(path: name)), as: UTF8.self)
    }

    private static func isProgram(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        let isThere = unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        return isThere && !isFolder.boolValue && FileManager.default.isExecutableFile(atPath: path)
    }
}
