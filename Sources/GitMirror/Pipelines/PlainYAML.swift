import Foundation

/// Refuses what of YAML a pipeline has no use for, before a general reader sees it: anchors, aliases,
/// tags and keys that are not plain, with which a few lines can stand for gigabytes.
///
/// Looks where a value may begin: behind `- `, `: ` and the marks of flow style; not in block scalars
/// and quotes.
struct PlainYAML {
    static let limit = 64 << 10

    static func check(_ text: String) throws(PipelineFlaw) {
        guard text.utf8.count <= limit else {
            throw PipelineFlaw(line: 0, column: 0, reason: "it has more than 64 KiB")
        }
        /// The indentation of the line that a block scalar belongs to, while there is one.
        var block: Int?
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            let indentation = line.prefix { $0 == " " }.count
            let rest = line.dropFirst(indentation).trimmingCharacters(in: .whitespaces)
            if rest.isEmpty || rest.first == "#" { continue }
            if let outer = block {
                if indentation > outer { continue }
                block = nil
            }
            if let column = forbidden(in: line) {
                throw PipelineFlaw(
                    line: index + 1,
                    column: column,
                    reason:
                        "anchors, aliases, tags and complex keys are not read; put a value that "
                        + "begins with such a character in quotes",
                )
            }
            if beginsBlock(rest) { block = blockIndentation(of: line, indentation) }
        }
    }

    /// The column of a value that begins with one of the characters, counted from 1.
    private static func forbidden(in line: Substring) -> Int? {
        var quote: Character?
        var mayBegin = true
        var previous: Character = " "
        for (column, character) in line.enumerated() {
            defer { previous = character }
            if let open = quote {
                if character == open { quote = nil }
                continue
            }
            if mayBegin {
                if character == "'" || character == "\"" { quote = character }
                if "&*!?".contains(character) { return column + 1 }
            }
            if character == "#", previous == " " { return nil }
            switch character {
            case " ": mayBegin = mayBegin || ":-,".contains(previous)
            case "[", "{": mayBegin = true
            case "-" where mayBegin, ",": continue
            default: mayBegin = false
            }
        }
        return nil
    }

    private static func beginsBlock(_ line: String) -> Bool {
        let bare = line.firstRange(of: " #").map { String(line[..<$0.lowerBound]) } ?? line
        let indicator = bare.split(separator: " ").last.map(String.init) ?? ""
        guard let first = indicator.first, first == "|" || first == ">" else { return false }
        return indicator.dropFirst().allSatisfy { "+-123456789".contains($0) }
    }

    /// What a block scalar's lines must exceed: where the key of its own mapping begins, which may stand
    /// behind hyphens.
    private static func blockIndentation(of line: Substring, _ indentation: Int) -> Int {
        var rest = line.dropFirst(indentation)
        var column = indentation
        while rest.hasPrefix("- ") {
            let step = 1 + rest.dropFirst().prefix { $0 == " " }.count
            // A scalar that is itself the entry of a list needs only exceed the hyphen.
            guard rest.dropFirst(step).contains(":") else { break }
            rest = rest.dropFirst(step)
            column += step
        }
        return column
    }
}
