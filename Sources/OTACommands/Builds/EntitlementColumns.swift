import Inspection

/// The entitlements that the code claims and its profile grants, in columns that fit the terminal.
struct EntitlementColumns {
    let entitlements: [EntitlementSummary]
    /// Without a profile nothing is granted, and the last column is omitted.
    let hasProfile: Bool
    let width: Int

    private static let indent = "    "
    /// The number of spaces between two columns.
    private static let gap = 2

    func lines(style: Style) -> [String] {
        guard !entitlements.isEmpty else { return [] }
        let rows = entitlements.map(Row.init)
        let header = ["ENTITLEMENT", "CLAIMED", "GRANTED"].prefix(hasProfile ? 3 : 2)
        let wanted = header.indices.map { column in
            ([header[column]] + rows.map { $0.cells[column] }).map(\.columns).max() ?? 0
        }
        let widths = fitted(wanted)
        return [""] + cells(Array(header), widths) { style.faint($0) }
            + rows.flatMap { row in
                let isMissing = hasProfile && row.isClaimed && !row.isGranted
                return cells(isMissing ? row.missing : row.cells, widths) { text in
                    if isMissing { return style.bad(text) }
                    return row.isClaimed ? text : style.faint(text)
                }
            }
    }

    /// The widths that fit the terminal, reducing the widest columns.
    private func fitted(_ wanted: [Int]) -> [Int] {
        let room = max(width - Self.indent.count - Self.gap * (wanted.count - 1), 40)
        var widths = wanted
        while widths.reduce(0, +) > room, let most = widths.max(),
            let widest = widths.firstIndex(of: most)
        {
            widths[widest] -= 1
        }
        return widths
    }

    /// One row with each text wrapped in its column.
    private func cells(
        _ texts: [String],
        _ widths: [Int],
        paint: (String) -> String,
    ) -> [String] {
        let columns = zip(texts, widths).map { $0.wrapped(to: $1) }
        let height = columns.map(\.count).max() ?? 0
        return (0..<height).map { line in
            let texts = columns.enumerated().map { index, column in
                let text = line < column.count ? column[line] : ""
                let isLast = index == columns.count - 1
                let padding = isLast ? 0 : max(0, widths[index] - text.columns + Self.gap)
                return text + String(repeating: " ", count: padding)
            }
            return Self.indent + paint(texts.joined().trimmingTrailingSpace)
        }
    }
}

private struct Row {
    /// The key, what is claimed, and what is granted.
    let cells: [String]
    let isClaimed: Bool
    let isGranted: Bool

    init(_ entitlement: EntitlementSummary) {
        cells = [
            entitlement.key.printable, entitlement.claimed?.printable ?? "–",
            entitlement.granted?.printable ?? "–",
        ]
        isClaimed = entitlement.claimed != nil
        isGranted = entitlement.granted != nil
    }

    /// The cells of an entitlement that is claimed but not granted.
    var missing: [String] { cells.dropLast() + ["not granted"] }
}

extension String {
    /// Lines of at most `width` columns, broken after a space, a comma or a dot if there is one in the
    /// second half.
    func wrapped(to width: Int) -> [String] {
        guard width > 0 else { return [self] }
        var lines: [String] = []
        var rest = self[...]
        while rest.count > width {
            let line = rest.prefix(width)
            let half = line.dropFirst(width / 2)
            let end =
                half.lastIndex { " ,.-".contains($0) }.map(half.index(after:)) ?? line.endIndex
            lines.append(String(rest[..<end]).trimmingTrailingSpace)
            rest = rest[end...]
        }
        return rest.isEmpty && !lines.isEmpty ? lines : lines + [String(rest)]
    }

    fileprivate var trimmingTrailingSpace: String {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
