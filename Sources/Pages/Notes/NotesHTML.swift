/// Renders blocks of release notes as HTML.
enum NotesHTML {
    static func html(_ blocks: [NotesBlock]) -> String {
        var html = ""
        for block in blocks { add(block, to: &html) }
        return html
    }

    private static func add(_ block: NotesBlock, to html: inout String) {
        switch block {
        case .heading(let line):
            html += "<h3>\(NotesInline.html(line))</h3>\n"
        case .paragraph(let lines):
            html +=
                "<p>" + lines.map { NotesInline.html($0) }.joined(separator: "<br>\n") + "</p>\n"
        case .code(let lines):
            // It scrolls horizontally, so it must be reachable by keyboard.
            html += "<pre tabindex=\"0\" dir=\"ltr\"><code>"
            for line in lines { html += HTMLText.escaped(line) + "\n" }
            html += "</code></pre>\n"
        case .quote(let blocks):
            html += "<blockquote>\n"
            for block in blocks { add(block, to: &html) }
            html += "</blockquote>\n"
        case .list(let start, let items):
            add(items, from: start, to: &html)
        case .table(let head, let alignments, let rows):
            html += "<div class=\"wide\" tabindex=\"0\">\n<table>\n<thead>\n"
            add(head, "th", alignments, to: &html)
            html += "</thead>\n<tbody>\n"
            for row in rows { add(row, "td", alignments, to: &html) }
            html += "</tbody>\n</table>\n</div>\n"
        case .rule:
            html += "<hr>\n"
        }
    }

    private static func add(_ items: [[NotesBlock]], from start: Int?, to html: inout String) {
        let tag = start == nil ? "ul" : "ol"
        html += start.map { $0 == 1 ? "<ol>\n" : "<ol start=\"\($0)\">\n" } ?? "<ul>\n"
        for item in items {
            html += "<li>"
            var rest = item[...]
            // An item's first paragraph is not wrapped in `<p>`; its line breaks are spaces.
            if case .paragraph(let lines) = rest.first {
                html += lines.map { NotesInline.html($0) }.joined(separator: "\n")
                rest = rest.dropFirst()
            }
            if !rest.isEmpty { html += "\n" }
            for block in rest { add(block, to: &html) }
            html += "</li>\n"
        }
        html += "</\(tag)>\n"
    }

    private static func add(
        _ cells: [NotesBlock.Line],
        _ tag: String,
        _ alignments: [NotesBlock.Alignment],
        to html: inout String,
    ) {
        html += "<tr>"
        for (cell, alignment) in zip(cells, alignments) {
            let kind =
                switch alignment {
                case .start: ""
                case .center: " class=\"center\""
                case .end: " class=\"end\""
                }
            html += "<\(tag)\(kind)>\(NotesInline.html(cell))</\(tag)>"
        }
        html += "</tr>\n"
    }
}
