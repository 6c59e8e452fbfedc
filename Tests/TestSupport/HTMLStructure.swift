/// The tags of a page with their attributes, as a browser's tokenizer finds them.
///
/// Implements those states of the HTML standard (section 13.2.5) that decide where text ends and markup
/// begins, and like a browser works on Unicode scalars.
package struct HTMLStructure: Sendable {
    package private(set) var tags: [Tag] = []

    package struct Tag: Equatable, Sendable {
        package var name = ""
        package var attributes: [Attribute] = []
    }

    package struct Attribute: Equatable, Sendable {
        package var name = ""
        package var value = ""
    }

    package init(_ html: String) {
        var rest = Array(html.unicodeScalars)[...]
        while let scalar = rest.popFirst() {
            guard scalar == "<", let next = rest.first,
                next.properties.isAlphabetic && next.isASCII || "/!?".unicodeScalars.contains(next)
            else { continue }
            tags.append(Self.tag(&rest))
        }
    }

    private static func tag(_ rest: inout ArraySlice<Unicode.Scalar>) -> Tag {
        var tag = Tag(name: text(&rest) { !isSpace($0) && $0 != ">" })
        while let scalar = rest.first, scalar != ">" {
            guard !isSpace(scalar), scalar != "/" else {
                rest.removeFirst()
                continue
            }
            tag.attributes.append(attribute(&rest))
        }
        _ = rest.popFirst()
        return tag
    }

    private static func attribute(_ rest: inout ArraySlice<Unicode.Scalar>) -> Attribute {
        let first = rest.popFirst().map { String($0) } ?? ""
        let name = first + text(&rest) { !isSpace($0) && !"=/>".unicodeScalars.contains($0) }
        _ = text(&rest, while: isSpace)
        guard rest.first == "=" else { return Attribute(name: name) }
        rest.removeFirst()
        _ = text(&rest, while: isSpace)
        guard let quote = rest.first, quote == "\"" || quote == "'" else {
            return Attribute(name: name, value: text(&rest) { !isSpace($0) && $0 != ">" })
        }
        rest.removeFirst()
        let value = text(&rest) { $0 != quote }
        _ = rest.popFirst()
        return Attribute(name: name, value: value)
    }

    private static func text(
        _ rest: inout ArraySlice<Unicode.Scalar>,
        while isPart: (Unicode.Scalar) -> Bool,
    ) -> String {
        var text = String.UnicodeScalarView()
        while let scalar = rest.first, isPart(scalar) {
            text.append(scalar)
            rest.removeFirst()
        }
        return String(text)
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        [" ", "\n", "\t", "\r", "\u{C}"].contains(scalar)
    }
}
