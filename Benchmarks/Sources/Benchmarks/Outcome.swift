import Foundation

/// Everything that a run found out.
struct Outcome {
    struct Failure: Encodable {
        let benchmark: String
        let reason: String
    }

    var comparisons: [Comparison] = []
    var failures: [Failure] = []
    /// How busy the machine was by others, before and after.
    var load: [MachineLoad] = []
    var seconds = 0.0

    /// The table for people.
    func text() -> String {
        let header = ["what", "ours", "peer", "", "ratio", "reach", "reached"]
        let rows = [header] + comparisons.map(row)
        let widths = header.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        var lines = rows.map { row in
            zip(row, widths).enumerated().map { column, cell in
                let padding = String(repeating: " ", count: cell.1 - cell.0.count)
                return [1, 3, 4].contains(column) ? padding + cell.0 : cell.0 + padding
            }.joined(separator: "  ")
        }
        lines.insert(
            widths.map { String(repeating: "-", count: $0) }.joined(separator: "  "),
            at: 1,
        )
        lines.append("")
        for (moment, load) in zip(["before", "after"], load) {
            lines.append("load \(moment): \(load.text)")
        }
        if load.contains(where: \.isBusy) {
            lines.append("The machine was busy with something else: do not trust these figures.")
        }
        lines.append("took \(Int(seconds)) s")
        lines += failures.map { "not measured: \($0.benchmark): \($0.reason)" }
        return lines.joined(separator: "\n")
    }

    func json() throws -> String {
        struct Document: Encodable {
            let schema = 1
            let comparisons: [Comparison]
            let failures: [Failure]
            let load: [MachineLoad]
            let seconds: Double
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let document = Document(
            comparisons: comparisons,
            failures: failures,
            load: load,
            seconds: seconds,
        )
        return String(decoding: try encoder.encode(document), as: UTF8.self)
    }

    private func row(_ line: Comparison) -> [String] {
        let reach =
            switch line.figure {
            case nil: ""
            case .ratio(let most): "≤ \(Self.number(most)) ×"
            case .most(let most): "≤ \(Self.number(most)) \(line.unit.symbol)"
            }
        return [
            line.what,
            "\(Self.number(line.ours)) \(line.unit.symbol)",
            line.peer?.name ?? "",
            line.peer.map { "\(Self.number($0.value)) \(line.unit.symbol)" } ?? "",
            line.ratio.map { String(format: "%.2f", $0) } ?? "",
            reach,
            line.isReached.map { $0 ? "yes" : "NO" } ?? "",
        ]
    }

    /// Three significant digits, and no zeros that say nothing.
    private static func number(_ value: Double) -> String {
        if abs(value) >= 100 { return String(format: "%.0f", value) }
        var text = String(format: abs(value) >= 10 ? "%.1f" : "%.3f", value)
        while text.hasSuffix("0") { text.removeLast() }
        if text.hasSuffix(".") { text.removeLast() }
        return text
    }
}
