import Foundation

/// The first `itms-services` link of an install page.
///
/// HTML is parsed as leniently as in browsers; scripts are not run.
struct InstallPageMarkup {
    /// The link, with character references decoded; nil when there is none.
    let link: String?
    let origin: Origin

    enum Origin: Equatable {
        case anchor
        /// Elsewhere in the markup, such as in an `onclick` attribute.
        case markup
        /// Complete inside a script.
        case script
        /// Not found, but the page has scripts that may create one.
        case scriptOnly
        case nowhere
    }

    init(html bytes: [UInt8]) {
        let (markup, scripts) = Self.split(bytes)
        if let link = Self.anchors(in: markup).first(where: { _ in true }) {
            (self.link, origin) = (link, .anchor)
        } else if let link = Self.literals(in: markup).first(where: { _ in true }) {
            (self.link, origin) = (link, .markup)
        } else if let link = Self.literals(in: Self.unescapedScript(scripts)).first(where: { _ in
            true
        }) {
            (self.link, origin) = (link, .script)
        } else {
            link = nil
            origin = scripts.isEmpty ? .nowhere : .scriptOnly
        }
    }

    private static let scheme = Array("itms-services:".utf8)
    private static let reference = Array("href".utf8)
    private static let comment = (start: Array("<!--".utf8), end: Array("-->".utf8))
    private static let program = (start: Array("<script".utf8), end: Array("</script".utf8))
    /// The maximum length of a link in bytes.
    private static let longestLink = 8_192

    /// The values of `href` that begin with the scheme, in the order of the page.
    private static func anchors(in markup: [UInt8]) -> some Sequence<String> {
        markup.positions(of: reference).lazy.compactMap { start -> String? in
            guard start > 0, !markup[start - 1].isNameByte else { return nil }
            var rest = markup[(start + reference.count)...].trimmingSpace
            guard rest.first == UInt8(ascii: "=") else { return nil }
            rest = rest.dropFirst().trimmingSpace.prefix(longestLink)
            // Checks only the beginning first, so that a page with many links does not take long.
            guard isInstallLink(value(at: rest.prefix(96))) else { return nil }
            return value(at: rest).trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }

    /// The value of an attribute, quoted or not.
    private static func value(at text: ArraySlice<UInt8>) -> String {
        if let quote = text.first, [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(quote) {
            return CharacterReferences.decoded(text.dropFirst().prefix { $0 != quote })
        }
        return CharacterReferences.decoded(text.prefix { !$0.isSpace && $0 != UInt8(ascii: ">") })
    }

    private static func isInstallLink(_ text: String) -> Bool {
        text.trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
            .hasPrefix("itms-services:")
    }

    /// Complete links in text, up to a quote, a space or a bracket.
    private static func literals(in text: [UInt8]) -> some Sequence<String> {
        let ends = Set("\"'`<> \t\r\n\\".utf8)
        return text.positions(of: scheme).prefix(100).lazy.compactMap { start -> String? in
            let link = CharacterReferences.decoded(
                text[start...].prefix(longestLink).prefix { !ends.contains($0) }
            )
            guard let value = link.range(of: "url="), value.upperBound != link.endIndex,
                !link.contains("${"), !link.contains("{{")
            else { return nil }
            return link
        }
    }

    /// Decodes `\/` and `\u0026`, as JSON encoders write them in scripts.
    private static func unescapedScript(_ bytes: [UInt8]) -> [UInt8] {
        let text = String(decoding: bytes, as: UTF8.self)
        return Array(
            text.replacingOccurrences(of: "\\/", with: "/")
                .replacingOccurrences(of: "\\u0026", with: "&")
                .replacingOccurrences(of: "\\x26", with: "&").utf8
        )
    }

    /// Separates scripts from markup and drops comments.
    private static func split(_ bytes: [UInt8]) -> (markup: [UInt8], scripts: [UInt8]) {
        var markup: [UInt8] = []
        var scripts: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes.matches(comment.start, at: index) {
                index = bytes.position(of: comment.end, from: index + 4) ?? bytes.count
            } else if bytes.matches(program.start, at: index) {
                let end = bytes.position(of: program.end, from: index + 7) ?? bytes.count
                scripts += bytes[index..<end] + [UInt8(ascii: "\n")]
                index = end
            } else {
                markup.append(bytes[index])
                index += 1
            }
        }
        return (markup, scripts)
    }
}

extension [UInt8] {
    fileprivate func position(of wanted: [UInt8], from start: Int) -> Int? {
        guard start <= count - wanted.count else { return nil }
        return (start...count - wanted.count).first { matches(wanted, at: $0) }
    }

    fileprivate func positions(of wanted: [UInt8]) -> [Int] {
        guard count >= wanted.count else { return [] }
        return (0...count - wanted.count).filter { matches(wanted, at: $0) }
    }

    /// Whether the bytes at `index` equal `wanted`, which must be in lower case, ignoring case.
    fileprivate func matches(_ wanted: [UInt8], at index: Int) -> Bool {
        guard index <= count - wanted.count else { return false }
        for offset in wanted.indices where self[index + offset].lowered != wanted[offset] {
            return false
        }
        return true
    }
}

extension ArraySlice<UInt8> {
    fileprivate var trimmingSpace: ArraySlice<UInt8> { drop(while: \.isSpace) }
}

extension UInt8 {
    fileprivate var lowered: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
    }

    fileprivate var isSpace: Bool { [0x20, 0x09, 0x0a, 0x0c, 0x0d].contains(self) }

    /// Whether the byte can be part of an attribute's name: `data-href` is not `href`.
    fileprivate var isNameByte: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lowered)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
            || [UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ":")].contains(self)
    }
}
