import Foundation
import Pages

/// `notes`: release notes become HTML with only this program's tags, which shows only their text.
///
/// The input is a byte with the number of lines after which the notes are folded, and Markdown.
struct Notes: PlainInputKind {
    static let name = "notes"

    /// The largest notes in an upload, in bytes.
    private static let longest = 64 << 10

    static func seeds(by authority: SeedAuthority) -> [String: [UInt8]] {
        let cases = [
            "# New\n\nA *b* **c** ***d*** ~~e~~ `f` [g](https://h.example/?i&j=\"k\") \\*l\n\nm\n===\n",
            "- a\n  - b\n\n    > c\n    > d\n- e\n\n3. f\n4) g\n\n***\n> - h\n> i\n",
            "| a | b |\n|:-:|--:|\n| `c` | d \\| e |\n\n```swift\nlet f = \"<g>\"\n```\n~~~\nopen",
            "<script>alert('a')</script> &amp; [b](javascript:c) [d](mailto:e@f) <!-- g -->",
            "> > > > > > > > a\n- - - - - - - - b\n\u{2028}c\u{301}\r\n\u{202E}[\u{600} ](https://\u{600} d)",
        ]
        return Dictionary(
            uniqueKeysWithValues: cases.enumerated().map { ("\($0)", [12] + Array($1.utf8)) }
        )
    }

    func check(_ input: [UInt8]) {
        guard let first = input.first else { return }
        let text = String(decoding: input.dropFirst(), as: UTF8.self)
        let whole = Self.page(ReleaseNotes.html(text), of: text)
        let folded = Self.page(ReleaseNotes.section(text, lines: Int(first)), of: nil)
        // The folded rest of a table repeats its header.
        promise(
            whole.text == folded.text || whole.hasTable,
            "what is folded away is not what was left out",
        )
        promise(whole.isSubsequence(of: text), "a page shows what its notes do not say")
        // This takes long, so only some inputs are checked.
        let mark = input.reduce(0 as UInt16) { $0 &* 31 &+ UInt16($1) }
        if mark.isMultiple(of: 2048), !text.isEmpty { checkWork(text) }
    }

    /// Superlinear work would take many seconds for notes of the maximum length.
    private func checkWork(_ text: String) {
        let long = String(repeating: text, count: Self.longest / text.utf8.count)
        let start = clock()
        _ = ReleaseNotes.section(long)
        promise(clock() - start < 3 * CLOCKS_PER_SEC, "notes take more work than they are long")
    }

    private static func page(_ html: String, of text: String?) -> PlainHTML {
        if let text {
            promise(html.utf8.count <= 40 * text.utf8.count + 200, "a page grows without bound")
        }
        return PlainHTML(reading: html)
    }
}
