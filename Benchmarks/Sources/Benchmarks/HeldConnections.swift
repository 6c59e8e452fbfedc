import Foundation

/// Connections that stay open while something is measured.
struct HeldConnections {
    /// Bytes by which the server has grown for each of `count` connections.
    ///
    /// Each begins to download `path` and then leaves it waiting, or idles when there is none.
    static func growth(
        of server: Server,
        by count: Int,
        downloading path: String?,
        on bench: Workbench,
    ) throws -> Double {
        let before = server.resident
        let output = bench.path("connections.log")
        let script = path.map { [$0] } ?? []
        let client = try bench.start(
            ["/usr/bin/python3", bench.clients + "/connections.py", "\(server.port)", "\(count)"]
                + script,
            output: output,
        )
        defer {
            client.send(SIGKILL)
            _ = client.wait()
            bench.ended(client)
        }
        let end = ContinuousClock.now + .seconds(30)
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
