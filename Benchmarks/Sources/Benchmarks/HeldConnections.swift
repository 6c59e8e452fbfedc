import Foundation

/// Connections that stay open while something is measured.
enum HeldConnections {
    /// What each connection does before it waits.
    enum Kind {
        case silent
        /// Requests a path once, and reads the response.
        case asked(String)
        /// Begins to download a path, and stops reading.
        case stalled(String)

        fileprivate var words: [String] {
            switch self {
            case .silent: []
            case .asked(let path): ["--ask", path]
            case .stalled(let path): ["--stall", path]
            }
        }
    }

    /// Returns the growth of the server's memory for each of `count` connections, in bytes.
    static func growth(
        of server: Server,
        by count: Int,
        _ kind: Kind,
        on bench: Workbench,
    ) throws -> Double {
        let before = server.resident
        let output = bench.path("connections.log")
        let client = try bench.start(
            ["/usr/bin/python3", bench.clients + "/connections.py", "\(server.port)", "\(count)"]
                + kind.words,
            output: output,
        )
        defer { bench.end(client) }
        let end = ContinuousClock.now + .seconds(120)
        while true {
            let text = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
            if text.contains("ready") { break }
            guard text.isEmpty, ContinuousClock.now < end else {
                throw BenchmarkFailure.notReady(program: "connections.py", output: text)
            }
            Thread.sleep(forTimeInterval: 0.05)
        }
        Thread.sleep(forTimeInterval: 1)
        return (server.resident - before) / Double(count)
    }
}
