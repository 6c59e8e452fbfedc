import Bundles
import Inspection

/// The bundles of an app, each below the one that it is in.
struct BundleTreeText {
    private struct Row {
        let bundle: InspectedBundle
        /// Under which row it stands; nil for the app.
        let parent: Int?
        /// The path without that of the one that it is in.
        let name: String
    }

    private let rows: [Row]

    /// `bundles` come with the app first, and each after the one that it is in.
    init(_ bundles: [InspectedBundle]) {
        var rows: [Row] = []
        /// The bundles that the last one is in, and itself.
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

    /// What leads from each row's parent to it.
    private var branches: [String] {
        let last = Dictionary(rows.indices.map { (rows[$0].parent, $0) }) { $1 }
        /// What stands before the rows below each row.
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
