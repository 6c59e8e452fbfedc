import Foundation

/// The table for people.
extension Outcome {
    /// A change below this factor is noise: two runs of the same program differ by that much.
    private static let noise = 1.2

    /// The table, with a column that compares with an earlier run if there is one.
    func text(since earlier: SavedRun?) -> String {
        var header = ["measurement", "ota", "compared with", "", "ratio", "target", "met"]
        if earlier != nil { header.append("change") }
        let rows = [header] + lines.map { row($0.line, $0.measured, since: earlier) }
        let widths = header.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        var text = rows.map { row in
            zip(row, widths).enumerated().map { column, cell in
                let padding = String(repeating: " ", count: cell.1 - cell.0.count)
                return [1, 3, 4, 7].contains(column) ? padding + cell.0 : cell.0 + padding
            }.joined(separator: "  ")
        }
        text.insert(
            widths.map { String(repeating: "-", count: $0) }.joined(separator: "  "),
            at: 1,
        )
        return (text + [""] + summary + (earlier.map(changes) ?? [])).joined(separator: "\n")
    }

    private var summary: [String] {
        var text = zip(["before", "after"], load).map { "load \($0): \($1.text)" }
        if load.contains(where: \.isBusy) {
            text.append("The machine was busy with other programs: do not rely on these figures.")
        }
        text.append("took \(Int(seconds)) s")
        let figures = lines.compactMap(\.line.isReached)
        text.append("met \(figures.count(where: \.self)) of \(figures.count) targets")
        return text + failures.map { "not measured: \($0.benchmark): \($0.reason)" }
    }

    /// The lines that changed by more than the noise, the worst first.
    private func changes(since earlier: SavedRun) -> [String] {
        let changes = lines.compactMap { _, measured in
            earlier.line(at: measured.place).flatMap { measured.change(since: $0) }
                .map { (place: measured.place, times: $0) }
        }.sorted { $0.times > $1.times }
        let dearer = changes.filter { $0.times > Self.noise }
        let cheaper = changes.filter { $0.times < 1 / Self.noise }.reversed()
        func text(_ change: (place: MeasuredLine.Place, times: Double)) -> String {
            "  \(Self.percent(change.times))  \(change.place.text)"
        }
        return ["compared \(changes.count) of \(lines.count) lines with the earlier run"]
            + (dearer.isEmpty ? [] : ["more than in the earlier run:"] + dearer.map(text))
            + (cheaper.isEmpty ? [] : ["less than in the earlier run:"] + cheaper.map(text))
    }

    private func row(
        _ line: Comparison,
        _ measured: MeasuredLine,
        since earlier: SavedRun?,
    ) -> [String] {
        let reach =
            switch line.figure {
            case nil: ""
            case .ratio(let most): "≤ \(Self.number(most)) ×"
            case .most(let most): "≤ \(Self.number(most)) \(line.unit.symbol)"
            }
        let cells = [
            line.what,
            "\(Self.number(line.ours)) \(line.unit.symbol)",
            line.peer?.name ?? "",
            line.peer.map { "\(Self.number($0.value)) \(line.unit.symbol)" } ?? "",
            line.ratio.map { String(format: "%.2f", $0) } ?? "",
            reach,
            line.isReached.map { $0 ? "yes" : "NO" } ?? "",
        ]
        guard let earlier else { return cells }
        let change = earlier.line(at: measured.place).flatMap { measured.change(since: $0) }
        return cells + [change.map(Self.percent) ?? "new"]
    }

    private static func percent(_ times: Double) -> String {
        String(format: "%+.0f %%", (times - 1) * 100)
    }

    /// Three significant digits, without trailing zeros.
    private static func number(_ value: Double) -> String {
        if abs(value) >= 100 { return String(format: "%.0f", value) }
        var text = String(format: abs(value) >= 10 ? "%.1f" : "%.3f", value)
        while text.hasSuffix("0") { text.removeLast() }
        if text.hasSuffix(".") { text.removeLast() }
        return text
    }
}

extension MeasuredLine.Place {
    fileprivate var text: String {
        let beside = peer.map { ", compared with \($0)" } ?? ""
        return "\(benchmark): \(work == what ? what : work + ": " + what)\(beside)"
    }
}
