import Foundation

/// Simulates many phones with `wrk`.
enum Visitors {
    /// Response times in milliseconds.
    struct Waits {
        let median: Double
        let p99: Double
        let p999: Double
    }

    /// The server's CPU time for each response, in microseconds.
    static func cost(of server: Server, _ path: String, on bench: Workbench) throws -> Double {
        var output = ""
        let processor = try server.processor {
            output = try run(["--connections", "64", "--duration", "2s"], server.url(path), bench)
        }
        // "  12345 requests in 2.00s, 1.23MB read"
        guard
            let line = output.split(separator: "\n").first(where: { $0.contains("requests in") }),
            let count = line.split(separator: " ").first.flatMap({ Double($0) }), count > 0
        else { throw BenchmarkFailure.unexpected(program: "wrk", output: output) }
        return processor / count * 1e6
    }

    /// Returns the response times if each visitor pauses for the given number of milliseconds on average
    /// between two requests; with nil, visitors do not pause, so that the machine is saturated.
    static func waits(
        for path: String,
        of server: Server,
        connections: Int,
        pause: Int?,
        on bench: Workbench,
    ) throws -> Waits {
        let options = [
            "--connections", "\(connections)", "--duration", pause == nil ? "3s" : "6s",
            "--script", bench.clients + "/percentiles.lua",
        ]
        let rest = pause.map { ["\($0)"] } ?? []
        let output = try run(options, server.url(path), bench, after: rest)
        // "microseconds 1234 2345 3456"
        let line = output.split(separator: "\n").last { $0.hasPrefix("microseconds ") }
        let numbers = line?.split(separator: " ").dropFirst().compactMap { Double($0) } ?? []
        guard numbers.count == 3, numbers[0] > 0 else {
            throw BenchmarkFailure.unexpected(program: "wrk", output: output)
        }
        return Waits(median: numbers[0] / 1e3, p99: numbers[1] / 1e3, p999: numbers[2] / 1e3)
    }

    private static func run(
        _ options: [String],
        _ url: String,
        _ bench: Workbench,
        after rest: [String] = [],
    ) throws -> String {
        let output = try bench.run(
            ["wrk", "--threads", "1", "--header", "User-Agent: \(Site.phone)"] + options + [url]
                + (rest.isEmpty ? [] : ["--"] + rest)
        ).output
        guard !output.contains("Non-2xx"), !output.contains("Socket errors") else {
            throw BenchmarkFailure.unexpected(program: "wrk", output: output)
        }
        return output
    }
}
