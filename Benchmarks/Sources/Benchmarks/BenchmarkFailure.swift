/// The reason for which a measurement could not be made.
enum BenchmarkFailure: Error, CustomStringConvertible {
    case usage(String)
    case notStarted(program: String, reason: String)
    case failed(program: String, status: Int32, output: String)
    case notReady(program: String, output: String)
    case unexpected(program: String, output: String)
    case outOfTime

    var description: String {
        switch self {
        case .usage(let reason): reason
        case .notStarted(let program, let reason): "\(program) could not be started: \(reason)"
        case .failed(let program, let status, let output):
            "\(program) ended with status \(status): \(output.suffix(400))"
        case .notReady(let program, let output):
            "\(program) was not ready in time: \(output.suffix(400))"
        case .unexpected(let program, let output):
            "\(program) printed something unexpected: \(output.suffix(400))"
        case .outOfTime: "no time was left"
        }
    }
}
