import Foundation

/// A real S3-compatible store, which runs until this process ends.
package struct ObjectEngine: Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        /// SeaweedFS, a distributed store.
        case seaweed = "weed"
        /// moto, which responds like Amazon S3, but keeps everything in memory and does not check signatures.
        case moto = "moto_server"

        /// The stores that `scripts/tools` has installed.
        package static var here: [Kind] { allCases.filter { $0.program != nil } }

        /// The executable; nil if it is not installed.
        var program: Program? {
            let program = tools + "/bin/" + rawValue
            return FileManager.default.isExecutableFile(atPath: program)
                ? Program(path: program) : nil
        }
    }

    /// The folder that `scripts/tools` creates.
    package static var tools: String {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return ProcessInfo.processInfo.environment["OTA_TOOLS"]
            ?? root.appending(path: ".build/tools").path()
    }

    package let kind: Kind
    package let url: String
    /// The base URL under which SeaweedFS serves the objects without signatures, below `/buckets`; nil for
    /// moto.
    package let files: String?
    private let folder: URL

    package static let accessKey = "OTATEST"
    package static let secret = "of the tests alone"

    /// Returns this process's store, and starts it on first use.
    package static func running(_ kind: Kind) async throws -> ObjectEngine {
        switch kind {
        case .seaweed: try await seaweed.value
        case .moto: try await moto.value
        }
    }

    /// Starts another one, for a test that disturbs it.
    package static func own(_ kind: Kind) async throws -> ObjectEngine { try await start(kind) }

    /// Sends the store's process a signal, such as SIGSTOP.
    package func send(_ signal: Int32) throws {
        let text = try String(contentsOf: folder.appending(path: "pid"), encoding: .utf8)
        guard let process = Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw NoEngine(output: text)
        }
        kill(process, signal)
    }

    private static let seaweed = Task { try await start(.seaweed) }
    private static let moto = Task { try await start(.moto) }

    struct NoEngine: Error {
        let output: String
    }

    /// Starts a store, and tries again on other ports if it does not come up.
    private static func start(_ kind: Kind) async throws -> ObjectEngine {
        guard let program = kind.program else { throw NoEngine(output: "it is not installed") }
        var output: [String] = []
        for _ in 0..<3 {
            do { return try await start(kind, program) } catch let error as NoEngine {
                output.append(error.output)
            }
        }
        throw NoEngine(output: output.joined(separator: "\n"))
    }

    private static func start(_ kind: Kind, _ program: Program) async throws -> ObjectEngine {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "ota-engine-\(UUID().uuidString)", directoryHint: .isDirectory)
        let data = folder.appending(path: "data", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
        let port = try FreePort.any()
        let filer = try FreePort.any()
        let arguments =
            switch kind {
            case .seaweed: try seaweedArguments(port: port, filer: filer, in: folder)
            case .moto: ["-H", "127.0.0.1", "-p", "\(port)"]
            }
        // It ends when this process does, in whatever way: its standard input is closed then.
        let script = """
            (sh -c 'echo $$ >"$0/pid"; exec "$@"' "$0" "$@" >"$0/log" 2>&1; : >"$0/ended") &
            cat >/dev/null; kill -9 $(cat "$0/pid"); rm -rf "$0"
            """
        let input = Pipe()
        let shell = try Program(path: "/bin/sh").start(
            ["-c", script, folder.path(), program.path] + arguments,
            in: folder,
            input: input,
        )
        let engine = ObjectEngine(
            kind: kind,
            url: "http://127.0.0.1:\(port)",
            files: kind == .seaweed ? "http://127.0.0.1:\(filer)" : nil,
            folder: folder,
        )
        for _ in 0..<600 {
            guard engine.isRunning else { break }
            if FreePort.isTaken(port), engine.takesFiles() {
                kept.add(input, shell)
                return engine
            }
            try await Task.sleep(for: .milliseconds(100))
        }
        let log = try? String(contentsOf: folder.appending(path: "log"), encoding: .utf8)
        try input.fileHandleForWriting.close()
        throw NoEngine(output: log ?? "")
    }

    /// Whether it still runs: a component whose port is taken ends all of it.
    private var isRunning: Bool {
        !FileManager.default.fileExists(atPath: folder.appending(path: "ended").path())
    }

    /// Whether all components of SeaweedFS work: it listens before it can store a file.
    private func takesFiles() -> Bool {
        guard let files, let port = URL(string: files)?.port else { return true }
        let request = "PUT /ready HTTP/1.0\r\nContent-Length: 2\r\n\r\nok"
        return FreePort.answer(to: request, at: port)?.hasPrefix("HTTP/1.0 201") ?? false
    }

    private static func seaweedArguments(
        port: Int,
        filer: Int,
        in folder: URL,
    ) throws -> [String] {
        let identities = folder.appending(path: "identities.json")
        let text = """
            {"identities": [{"name": "ota", "actions": ["Admin", "Read", "Write", "List"],
            "credentials": [{"accessKey": "\(accessKey)", "secretKey": "\(secret)"}]}]}
            """
        try Data(text.utf8).write(to: identities)
        // Each component needs a port for clients and one for gRPC.
        let ports = try [
            "master.port", "master.port.grpc", "volume.port", "volume.port.grpc",
            "filer.port.grpc", "s3.port.grpc", "s3.port.lance",
        ].map { "-\($0)=\(try FreePort.any())" }
        return [
            "server", "-dir=" + folder.appending(path: "data").path(), "-ip=127.0.0.1",
            "-ip.bind=127.0.0.1", "-filer", "-filer.port=\(filer)", "-s3", "-s3.port=\(port)",
            "-s3.port.iceberg=0",
            "-s3.config=" + identities.path(), "-master.telemetry=false", "-volume.max=60",
            "-master.volumeSizeLimitMB=128",
        ] + ports
    }

    /// Holds the pipe on which the shell waits open until this process ends.
    private static let kept = Kept()

    private final class Kept: @unchecked Sendable {
        private let lock = NSLock()
        private var things: [AnyObject] = []

        func add(_ things: AnyObject...) {
            lock.withLock { self.things += things }
        }
    }
}
