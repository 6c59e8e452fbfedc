import Bundles
import Inspection

/// The bundles of an app as a tree.
struct BundleTreeText {
    private struct Row {
        let bundle: InspectedBundle
        /// The parent's row; nil for the app.
        let parent: Int?
        /// The path relative to the parent.
        let name: String
    }

    private let rows: [Row]

    /// `bundles` begins with the app; each bundle follows its parent.
    init(_ bundles: [InspectedBundle]) {
        var rows: [Row] = []
        /// The last bundle and its ancestors.
        var open: [(path: String, row: Int)] = []
        for bundle in bundles {
            while let last = open.last, !bundle.path.hasPrefix(last.path + "/") {
                open.removeLast()
            }
            let name = open.last.map { String(bundle.path.dropFirst($0.path.count + 1)) }
            rows.append(Row(bundle: bundle, parent: open.last?.row, name: name ?? bundle.path))
            open.append((bundle.path, rows.count - 1))
        }
        self.rows = rows
    }

    func text(style: Style) -> String {
        var table = Table(["BUNDLE", "KIND", "IDENTIFIER", "VERSION"])
        for (row, branch) in zip(rows, branches) {
            table.add([
                Table.Cell(branch + row.name, paint: style.strong),
                Table.Cell(row.bundle.kind.rawValue),
                Table.Cell(row.bundle.identifier ?? "–"),
                Table.Cell(row.bundle.versionText),
            ])
        }
        return table.text(style: style)
    }

    /// The branch from each row's parent to the row.
    private var branches: [String] {
        let last = Dictionary(rows.indices.map { (rows[$0].parent, $0) }) { $1 }
        /// The prefix of the rows below each row.
        var stems: [String] = []
        return rows.indices.map { index in
            guard let parent = rows[index].parent else {
                stems.append("")
                return ""
            }
            let isLast = last[parent] == index
            stems.append(stems[parent] + (isLast ? "   " : "│  "))
            return stems[parent] + (isLast ? "└─ " : "├─ ")
        }
    }
}
