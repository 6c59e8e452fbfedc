import Foundation

/// The results of a run.
struct Outcome {
    struct Failure: Encodable {
        let benchmark: String
        let reason: String
    }

    /// The lines of each benchmark, in the order in which they ran.
    var sections: [(benchmark: String, lines: [Comparison])] = []
    var failures: [Failure] = []
    /// The machine's load by other programs, before and after the run.
    var load: [MachineLoad] = []
    var seconds = 0.0

    /// Every line, with its identity.
    var lines: [(line: Comparison, measured: MeasuredLine)] {
        sections.flatMap { section in
            var work = ""
            return section.lines.map { line in
                if !line.what.hasPrefix("  ") { work = line.what }
                return (line, MeasuredLine(line, of: section.benchmark, below: work))
            }
        }
    }

    func json() throws -> String {
        struct Document: Encodable {
            let schema = 2
            let lines: [MeasuredLine]
            let failures: [Failure]
            let load: [MachineLoad]
            let seconds: Double
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf",
            negativeInfinity: "-inf",
            nan: "nan",
        )
        let document = Document(
            lines: lines.map(\.measured),
            failures: failures,
            load: load,
            seconds: seconds,
        )
        return String(decoding: try encoder.encode(document), as: UTF8.self)
    }
}
