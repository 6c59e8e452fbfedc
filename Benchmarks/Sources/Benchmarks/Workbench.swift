import Dispatch
import Foundation
import Synchronization

/// The folder and the processes of a run; both are removed when it ends, in whatever way.
final class Workbench: Sendable {
    let ota: String
    let rounds: Rounds
    /// The absolute path, without a trailing slash.
    let folder: String
    /// The folder of the clients that are separate programs.
    let clients: String
    private let end: ContinuousClock.Instant
    private let running = Mutex(Running())

    private struct Running {
        var processes: Set<pid_t> = []
        /// Once it is set, nothing is started any more.
        var isOver = false
    }

    init(options: Options) throws {
        ota = URL(filePath: options.ota).path()
        rounds = Rounds(count: options.rounds)
        end = .now + .seconds(options.limit)
        folder =
            URL(filePath: options.work).appending(path: "ota-bench-\(UUID().uuidString)").path()
        clients = URL(filePath: options.clients).path()
        guard FileManager.default.isExecutableFile(atPath: ota) else {
            throw BenchmarkFailure.usage("there is no program \(ota)")
        }
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755],
        )
    }

    var isOutOfTime: Bool { ContinuousClock.now >= end }

    /// Runs `body`, and cleans up afterwards, or when a signal interrupts it.
    func whileCleaningUp<Value>(_ body: () throws -> Value) rethrows -> Value {
        let signals = [SIGINT, SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { [self] in
                cleanUp()
                exit(128 + number)
            }
            source.resume()
            return source
        }
        defer {
            for source in signals { source.cancel() }
            cleanUp()
        }
        return try body()
    }

    /// The main thread may be writing a file at this moment, so several attempts may be needed.
    private func cleanUp() {
        running.withLock { running in
            running.isOver = true
            for identifier in running.processes { kill(-identifier, SIGKILL) }
        }
        for _ in 0..<50 where FileManager.default.fileExists(atPath: folder) {
            try? FileManager.default.removeItem(atPath: folder)
            Thread.sleep(forTimeInterval: 0.02)
        }
    }

    /// Whether a program is in one of the folders in `PATH`.
    func finds(_ program: String) -> Bool {
        (environment["PATH"] ?? "").split(separator: ":").contains { folder in
            FileManager.default.isExecutableFile(atPath: "\(folder)/\(program)")
        }
    }

    func path(_ name: String) -> String { folder + "/" + name }

    /// The size of a file in bytes.
    func size(of path: String) throws -> Double {
        let about = try FileManager.default.attributesOfItem(atPath: path)
        return (about[.size] as? NSNumber)?.doubleValue ?? .nan
    }

    func remove(_ name: String) throws {
        guard FileManager.default.fileExists(atPath: path(name)) else { return }
        try FileManager.default.removeItem(atPath: path(name))
    }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path(name)))
    }

    /// Reports the progress on standard error.
    func say(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }

    /// The environment of every program: a single cipher suite for both sides of a comparison, and a fixed
    /// language.
    var environment: [String: String] {
        var environment = ProcessInfo.processInfo.environment
        environment["OPENSSL_CONF"] = path("openssl.cnf")
        environment["LC_ALL"] = "C.UTF-8"
        environment["OTA_STORE"] = nil
        environment["PYTHONDONTWRITEBYTECODE"] = "1"
        return environment
    }

    func start(_ words: [String], output: String) throws -> ChildProcess {
        try running.withLock { running in
            guard !running.isOver else { throw BenchmarkFailure.outOfTime }
            let child = try ChildProcess(words, environment: environment, output: output)
            running.processes.insert(child.identifier)
            return child
        }
    }

    func ended(_ child: ChildProcess) {
        _ = running.withLock { $0.processes.remove(child.identifier) }
    }

    /// Ends a program that would otherwise continue to run.
    func end(_ child: ChildProcess) {
        child.send(SIGKILL)
        _ = child.wait()
        ended(child)
    }
}
