/// Parses HTML with the few tags of release notes, and stops the program at anything else.
///
/// Each tag is compared literally, and is allowed only where a browser does not move it.
struct PlainHTML {
    /// The shown text, without line breaks and the program's own words for unfolding the rest.
    private(set) var text: [UInt8] = []
    private(set) var addresses: [[UInt8]] = []
    private(set) var hasTable = false

    private var open: [String] = []
    private var rest: ArraySlice<UInt8>

    init(reading html: String) {
        rest = Array(html.utf8)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "<"): readTag()
            case UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"):
                stop("a page has a bare mark")
            case UInt8(ascii: "&"): show(Self.character(named: &rest))
            default: show(byte)
            }
        }
        promise(open.isEmpty, "a page leaves \(open) open")
    }

    /// Whether the shown text and the links are subsequences of a text.
    func isSubsequence(of text: String) -> Bool {
        let bytes = Array(text.utf8)
        return ([self.text] + addresses).allSatisfy { shown in
            var place = 0
            for byte in shown {
                guard let found = bytes[place...].firstIndex(of: byte) else { return false }
                place = found + 1
            }
            return true
        }
    }

    // MARK: Text

    private mutating func show(_ byte: UInt8) {
        if byte == UInt8(ascii: "\n") { return }
        let parent = open.last ?? ""
        promise(Self.inline.contains(parent) || parent == "summary", "text stands in “\(parent)”")
        if parent != "summary" { text.append(byte) }
    }

    private static let names: [(name: [UInt8], byte: UInt8)] =
        [("amp;", 0x26), ("lt;", 0x3C), ("gt;", 0x3E), ("quot;", 0x22), ("#39;", 0x27)]
        .map { (Array($0.utf8), $1) }

    private static func character(named rest: inout ArraySlice<UInt8>) -> UInt8 {
        guard let found = names.first(where: { rest.starts(with: $0.name) }) else {
            stop("a page has a bare ampersand")
        }
        rest = rest.dropFirst(found.name.count)
        return found.byte
    }

    // MARK: Tags

    private static let blocks: Set<String> = [
        "h3", "p", "pre", "blockquote", "ul", "ol", "div", "hr",
    ]
    private static let spans: Set<String> = ["strong", "em", "del", "code", "a", "br"]
    /// The elements that may contain text.
    private static let inline: Set<String> = [
        "h3", "p", "li", "th", "td", "strong", "em", "del", "code", "a",
    ]
    private static let attributes: [String: Set<String>] = [
        "pre": [" tabindex=\"0\" dir=\"ltr\""], "details": [" class=\"rest\""],
        "div": [" class=\"wide\" tabindex=\"0\"", " class=\"notes\" dir=\"auto\""],
        "th": ["", " class=\"center\"", " class=\"end\""],
        "td": ["", " class=\"center\"", " class=\"end\""],
    ]
    private static let parents: [String: Set<String>] = [
        "li": ["ul", "ol"], "table": ["div"], "thead": ["table"], "tbody": ["table"],
        "tr": ["thead", "tbody"], "th": ["tr"], "td": ["tr"], "details": [""],
        "summary": ["details"],
    ]

    private mutating func readTag() {
        let end = rest.firstIndex(of: UInt8(ascii: ">")) ?? rest.endIndex
        promise(end < rest.endIndex, "a page has half a tag")
        let tag = rest[..<end]
        rest = rest[(end + 1)...]
        if tag.first == UInt8(ascii: "/") {
            let name = String(decoding: tag.dropFirst(), as: UTF8.self)
            promise(open.popLast() == name, "“\(name)” is closed where it is not open")
            return
        }
        let nameEnd = tag.firstIndex(of: UInt8(ascii: " ")) ?? tag.endIndex
        let name = String(decoding: tag[..<nameEnd], as: UTF8.self)
        check(name, in: open.last ?? "")
        check(tag[nameEnd...], of: name)
        if name == "table" { hasTable = true }
        if name != "br", name != "hr" { open.append(name) }
    }

    private func check(_ name: String, in parent: String) {
        let isPlaced =
            if Self.blocks.contains(name) {
                ["", "blockquote", "li", "div", "details"].contains(parent)
            } else if Self.spans.contains(name) {
                Self.inline.contains(parent) && parent != "code" && parent != "a"
                    || name == "code" && parent == "pre"
            } else {
                Self.parents[name]?.contains(parent) ?? false
            }
        promise(isPlaced, "“\(name)” stands in “\(parent)”")
    }

    private mutating func check(_ attributes: ArraySlice<UInt8>, of name: String) {
        let text = String(decoding: attributes, as: UTF8.self)
        if name == "a" { return checkLink(attributes) }
        if name == "ol", !text.isEmpty {
            let number = attributes.dropFirst(8).dropLast()
            promise(
                text == " start=\"\(String(decoding: number, as: UTF8.self))\""
                    && number.allSatisfy { (0x30...0x39).contains($0) },
                "a list begins with \(text)",
            )
            return
        }
        promise(Self.attributes[name, default: [""]].contains(text), "“\(name)” has \(text)")
    }

    /// Checks that a URL has one of the two schemes, and nothing that ends it early.
    private mutating func checkLink(_ attributes: ArraySlice<UInt8>) {
        let start = Array(" href=\"".utf8)
        let end = Array("\" rel=\"noopener noreferrer nofollow\"".utf8)
        promise(
            attributes.starts(with: start) && attributes.suffix(end.count).elementsEqual(end),
            "a link has other attributes",
        )
        var value = attributes.dropFirst(start.count).dropLast(end.count)
        var address: [UInt8] = []
        while let byte = value.popFirst() {
            promise(byte > 0x20 && byte != 0x7F, "an address has a space or a control character")
            promise(byte != UInt8(ascii: "\""), "an address ends early")
            address.append(byte == UInt8(ascii: "&") ? Self.character(named: &value) : byte)
        }
        promise(
            address.starts(with: "https://".utf8) || address.starts(with: "mailto:".utf8),
            "an address has another scheme",
        )
        addresses.append(address)
    }
}
