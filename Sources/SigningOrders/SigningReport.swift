import Essentials
package import Problems

/// A line of JSON from `ota sign --request -`: its progress, and finally the result.
package enum SigningReport<Result: Codable & Sendable>: Codable, Sendable {
    /// The number of completed parts, and the total.
    case progress(done: Int, total: Int)
    /// The signed archive was written; with the details.
    case signed(Result)
    /// Nothing was written.
    case refused(Problem)

    private enum Key: String, CodingKey {
        case done, total, signed, problem
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        if let result = try fields.decodeIfPresent(Result.self, forKey: .signed) {
            self = .signed(result)
        } else if let problem = try fields.decodeIfPresent(SentProblem.self, forKey: .problem) {
            self = .refused(problem.problem)
        } else {
            self = .progress(
                done: try fields.decode(Int.self, forKey: .done),
                total: try fields.decode(Int.self, forKey: .total),
            )
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        switch self {
        case .progress(let done, let total):
            try fields.encode(done, forKey: .done)
            try fields.encode(total, forKey: .total)
        case .signed(let result): try fields.encode(result, forKey: .signed)
        case .refused(let problem): try fields.encode(SentProblem(problem), forKey: .problem)
        }
    }

    /// The report as one line, with a line feed.
    ///
    /// - Throws: `EncodingError`.
    package func line() throws -> [UInt8] {
        Array(try OrderCoding.encoder.encode(self)) + [UInt8(ascii: "\n")]
    }
}

/// A problem in the form exchanged between two processes of the same program.
private struct SentProblem: Codable {
    let id: String
    let kind: String
    let message: String
    let place: String
    let fix: String

    init(_ problem: Problem) {
        id = problem.id
        kind = problem.kind.rawValue
        message = problem.message
        place = problem.place
        fix = problem.fix
    }

    var problem: Problem {
        Problem(
            id: id,
            kind: Problem.Kind(rawValue: kind) ?? .failed,
            message: message,
            place: place,
            fix: fix,
        )
    }
}
