import Foundation

/// A server process on a port of the loopback address, with its children.
final class Server {
    let port: Int
    private let bench: Workbench
    private let child: ChildProcess

    /// Starts the program that `words` returns for a free port, and waits until it is reachable.
    init(
        on bench: Workbench,
        named name: String,
        _ words: (_ port: Int) throws -> [String],
    ) throws {
        self.bench = bench
        port = try FreePort.number()
        let output = bench.path(name + ".log")
        child = try bench.start(words(port), output: output)
        let end = ContinuousClock.now + .seconds(20)
        while !FreePort.accepts(port) {
            guard ContinuousClock.now < end else {
                let text = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
                stop()
                throw BenchmarkFailure.notReady(program: name, output: text)
            }
            Thread.sleep(forTimeInterval: 0.02)
        }
        Thread.sleep(forTimeInterval: 0.2)
    }

    var identifier: pid_t { child.identifier }

    func url(_ path: String) -> String { "https://127.0.0.1:\(port)\(path)" }

    /// CPU time of all its processes since their start in seconds, user and system together.
    var processor: Double { ProcessFacts.family(of: child.identifier).map(\.processor).sum }

    /// Memory of all its processes in bytes.
    var resident: Double { ProcessFacts.family(of: child.identifier).map(\.resident).sum }

    /// Returns the server's CPU time in seconds while `body` runs.
    func processor(while body: () throws -> Void) rethrows -> Double {
        try cost(of: body).processor
    }

    /// Returns the elapsed time of `body`, and the server's CPU time meanwhile.
    func cost(of body: () throws -> Void) rethrows -> Cost {
        let before = processor
        let began = ContinuousClock.now
        try body()
        let wall = ContinuousClock.now - began
        return Cost(
            wall: wall / .seconds(1),
            processor: processor - before,
            residentPeak: resident,
        )
    }

    func stop() {
        child.send(SIGTERM)
        let watch = DispatchWorkItem { [child] in child.send(SIGKILL) }
        DispatchQueue.global().asyncAfter(deadline: .now() + 2, execute: watch)
        _ = child.wait()
        watch.cancel()
        child.send(SIGKILL)
        bench.ended(child)
    }
}

extension [Double] {
    fileprivate var sum: Double { reduce(0, +) }
}
