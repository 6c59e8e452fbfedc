/// Rows of text in aligned columns.
struct Table {
    private let header: [String]
    private var rows: [[Cell]] = []

    /// One field: its text, and how it is coloured after padding.
    struct Cell {
        let text: String
        let columns: Int
        let paint: (String) -> String

        init(_ text: String, paint: @escaping (String) -> String = { $0 }) {
            self.text = text.printable
            columns = self.text.columns
            self.paint = paint
        }
    }

    init(_ header: [String]) {
        self.header = header
    }

    var isEmpty: Bool { rows.isEmpty }

    mutating func add(_ cells: [Cell]) {
        rows.append(cells)
    }

    mutating func add(_ texts: [String]) {
        rows.append(texts.map { Cell($0) })
    }

    func text(style: Style) -> String {
        let all = [header.map { Cell($0, paint: style.faint) }] + rows
        let widths = header.indices.map { column in
            all.map { $0[column].columns }.max() ?? 0
        }
        return all.map { row in
            let last = row.lastIndex { !$0.text.isEmpty } ?? 0
            return row.indices.prefix(last + 1)
                .map { column in
                    let isLast = column == last
                    let padding = isLast ? 0 : widths[column] - row[column].columns + 2
                    return row[column].paint(row[column].text)
                        + String(repeating: " ", count: padding)
                }
                .joined()
        }
        .joined(separator: "\n")
    }
}
