import Foundation
import Testing
import Yams

/// The values of `${{ … }}`: contexts by their full names, such as `inputs.tag`.
struct GitHubContext {
    private var values: [String: String] = [:]

    subscript(name: String) -> String? {
        get { values[name] }
        set { values[name] = newValue }
    }

    /// Returns a text with its expressions expanded; as on GitHub, an unset value is empty.
    ///
    /// - Throws: an error for an expression that is more than a name.
    func expanded(_ text: String) throws -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstRange(of: "${{") {
            let end = try #require(rest[start.upperBound...].firstRange(of: "}}"))
            let name = rest[start.upperBound..<end.lowerBound].trimmingCharacters(in: .whitespaces)
            try #require(name.wholeMatch(of: /[a-z][A-Za-z0-9_.\-]+/) != nil, "\(name)")
            result += rest[..<start.lowerBound] + (values[name] ?? "")
            rest = rest[end.upperBound...]
        }
        return result + rest
    }

    /// Expands a map of texts, or of maps that have a text under `key`.
    func expanded(_ node: Node?, each key: String? = nil) throws -> [String: String] {
        guard let mapping = node?.mapping else { return [:] }
        var result: [String: String] = [:]
        for (name, value) in mapping {
            let text = try #require(key.map { value[$0]?.string } ?? value.string)
            result[try #require(name.string)] = try expanded(text)
        }
        return result
    }

    /// Evaluates `name != 'text'` and `name == other`, joined by `&&`.
    func isTrue(_ condition: String) throws -> Bool {
        try condition.split(separator: " && ").allSatisfy { part in
            let parts = try #require(
                part.wholeMatch(
                    of: /([a-z][A-Za-z0-9_.\-]+) (!=|==) (?:'([^']*)'|([a-z][A-Za-z0-9_.\-]+))/
                )
            )
            let other = parts.3.map(String.init) ?? parts.4.flatMap { values[String($0)] } ?? ""
            let isEqual = (values[String(parts.1)] ?? "") == other
            return parts.2 == "==" ? isEqual : !isEqual
        }
    }
}
