import Foundation

/// The options of the command line.
struct Options {
    static let usage = """
        usage: Benchmarks --ota PATH [--json] [--compare FILE] [--only NAME]… [--rounds N]
                          [--within SECONDS] [--work FOLDER] [--clients FOLDER]
        NAME: \(Session.names.joined(separator: " "))
        """

    /// The release build of `ota`.
    var ota = ""
    var json = false
    /// The earlier run to compare with, as `--json` printed it.
    var earlier: SavedRun?
    /// The names of the benchmarks to run; all if empty.
    var only: [String] = []
    /// How often each side of a comparison runs; the median is used.
    var rounds = 3
    /// The time in seconds after which no further benchmark starts.
    var limit = 1200.0
    /// The folder `Clients`.
    var clients = "Clients"
    /// The folder in which the run's own folder is created, and removed at the end.
    var work = NSTemporaryDirectory()

    init(_ arguments: ArraySlice<String>) throws(BenchmarkFailure) {
        var rest = arguments
        while let name = rest.popFirst() {
            if name == "--json" {
                json = true
                continue
            }
            guard let value = rest.popFirst() else { throw .usage(Self.usage) }
            switch name {
            case "--ota": ota = value
            case "--only" where Session.names.contains(value): only.append(value)
            case "--compare": earlier = try SavedRun(reading: value)
            case "--clients": clients = value
            case "--work": work = value
            case "--rounds":
                guard let number = Int(value), number > 0 else { throw .usage(Self.usage) }
                rounds = number
            case "--within":
                guard let number = Double(value), number > 0 else { throw .usage(Self.usage) }
                limit = number
            default: throw .usage(Self.usage)
            }
        }
        guard !ota.isEmpty else { throw .usage(Self.usage) }
    }
}
