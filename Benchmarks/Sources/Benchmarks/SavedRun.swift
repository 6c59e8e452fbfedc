import Foundation

/// An earlier run, as printed by `--json`.
struct SavedRun: Decodable {
    let lines: [MeasuredLine]

    init(reading path: String) throws(BenchmarkFailure) {
        do {
            let bytes = try Data(contentsOf: URL(filePath: path))
            let decoder = JSONDecoder()
            decoder.nonConformingFloatDecodingStrategy = .convertFromString(
                positiveInfinity: "inf",
                negativeInfinity: "-inf",
                nan: "nan",
            )
            self = try decoder.decode(SavedRun.self, from: bytes)
        } catch {
            throw .usage("\(path) is no run that --json printed: \(error)")
        }
    }

    /// Returns the earlier measurement of the same line.
    func line(at place: MeasuredLine.Place) -> MeasuredLine? {
        lines.first { $0.place == place }
    }
}
