/// Release notes as safe HTML: Markdown as people write it for a change log.
///
/// Headings, lists within lists, quotes, code, tables, rules, emphasis, strikethrough and links to
/// `https` and `mailto`. Everything else is text; raw HTML is shown, never interpreted. Each line is
/// read scalar by scalar and a fixed number of times, so that no input takes more than linear time:
/// characters of many marks are slow to compare. The parser is our own and not a library's, because
/// what strangers write is read here, and the libraries there are pass it to C.
package enum ReleaseNotes {
    /// Lines that notes may take on a screen before the rest is folded away.
    package static let foldedLines = 12
    /// Beyond the fold there is more than this, or nothing is folded.
    private static let leastRest = 4

    /// The notes, whole.
    package static func html(_ markdown: String) -> String {
        NotesHTML.html(NotesParser.blocks(of: markdown))
    }

    /// The notes as a part of a page: what goes beyond some lines is behind “Show all”.
    ///
    /// Without scripts, for a browser unfolds `<details>` by itself.
    ///
    /// - Parameters:
    ///   - markdown: the notes.
    ///   - lines: how many are shown before the rest is folded away.
    ///   - all: the words that unfold the rest.
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
