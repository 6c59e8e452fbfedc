import Foundation

/// The error types that the sources declare.
struct ErrorSources {
    /// A type that conforms to `Error`.
    struct Declaration {
        let name: String
        /// Whether it conforms through `ReportableError`.
        let isReportable: Bool
        /// The cases with associated values; empty for types other than enumerations.
        let cases: Set<String>
        /// The number of cases without associated values.
        let plainCases: Int
    }

    let declarations: [Declaration]

    init(in root: URL) throws {
        let names = try FileManager.default.subpathsOfDirectory(atPath: root.path)
            .filter { $0.hasSuffix(".swift") }.sorted()
        declarations = try names.flatMap { name in
            let text = try String(contentsOf: root.appending(path: name), encoding: .utf8)
            return Self.declarations(in: text)
        }
    }

    private static func declarations(in text: String) -> [Declaration] {
        let head = /(?m)^( *)(?:[a-z]+ )*(enum|struct|class|actor|extension) ([\w.]+): ([^{]+)\{/
        return text.matches(of: head).compactMap { match in
            let parents = match.4.split(separator: ",").map {
                $0.trimmingCharacters(in: .whitespacesAndNewlines)
            }
            guard parents.contains("Error") || parents.contains("ReportableError") else {
                return nil
            }
            let end = text.range(
                of: "\n\(match.1)}",
                range: match.range.upperBound..<text.endIndex,
            )
            let body = text[match.range.upperBound..<(end?.lowerBound ?? text.endIndex)]
            let cases = match.2 == "enum" ? cases(in: body, indented: match.1 + "    ") : []
            return Declaration(
                name: String(match.3.split(separator: ".").last ?? match.3),
                isReportable: parents.contains("ReportableError"),
                cases: Set(cases.filter(\.hasValues).map(\.name)),
                plainCases: cases.count { !$0.hasValues },
            )
        }
    }

    /// The names after `case` on the level of the type itself: `case empty, tooLong(limit: Int)`.
    private static func cases(
        in body: Substring,
        indented indent: String,
    ) -> [(name: String, hasValues: Bool)] {
        var found: [(name: String, hasValues: Bool)] = []
        for line in body.split(separator: "\n") where line.hasPrefix(indent + "case ") {
            var depth = 0
            var name = ""
            var hasValues = false
            for character in line.dropFirst(indent.count + 5) + "," {
                switch character {
                case "(":
                    depth += 1
                    hasValues = true
                case ")": depth -= 1
                case "," where depth == 0:
                    found.append((name.trimmingCharacters(in: .whitespaces), hasValues))
                    (name, hasValues) = ("", false)
                case _ where depth == 0: name.append(character)
                default: continue
                }
            }
        }
        return found
    }
}
