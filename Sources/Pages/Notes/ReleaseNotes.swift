/// Release notes as safe HTML, from the Markdown that people write in change logs.
///
/// Supports headings, nested lists, quotes, code, tables, rules, emphasis, strikethrough and links to
/// `https` and `mailto`. Everything else is text; raw HTML is shown, never interpreted. Lines are scanned
/// by Unicode scalar a fixed number of times, so that any input takes linear time: comparing Swift
/// characters of many combining marks is slow. The parser is our own, because it parses text from
/// untrusted authors, and the available libraries pass it to C.
package enum ReleaseNotes {
    /// The lines of notes that are shown before the rest is collapsed.
    package static let foldedLines = 12
    /// A rest of this many lines or fewer is not collapsed.
    private static let leastRest = 4

    /// Returns the whole notes.
    package static func html(_ markdown: String) -> String {
        NotesHTML.html(NotesParser.blocks(of: markdown))
    }

    /// Returns the notes as a part of a page, with the rest after some lines collapsed behind “Show all”.
    ///
    /// Needs no script, because browsers expand `<details>` by themselves.
    ///
    /// - Parameters:
    ///   - markdown: the notes.
    ///   - lines: how many lines are shown before the rest is collapsed.
    ///   - all: the label that expands the rest.
    /// - Returns: HTML.
    package static func section(
        _ markdown: String,
        lines: Int = foldedLines,
        all: String = "Show all",
    ) -> String {
        let blocks = NotesParser.blocks(of: markdown)
        guard blocks.reduce(0, { $0 + $1.lines }) > lines + leastRest else {
            return part(blocks)
        }
        let (shown, rest) = NotesBlock.split(blocks, at: lines)
        return (shown.isEmpty ? "" : part(shown))
            + "<details class=\"rest\"><summary>\(HTMLText.escaped(all))</summary>\n"
            + "\(part(rest))</details>\n"
    }

    private static func part(_ blocks: [NotesBlock]) -> String {
        "<div class=\"notes\" dir=\"auto\">\n\(NotesHTML.html(blocks))</div>\n"
    }
}
