import Foundation
import Testing
import Yams

/// What `${{ … }}` stands for: contexts by their whole names, such as `inputs.tag`.
struct GitHubContext {
    private var values: [String: String] = [:]

    subscript(name: String) -> String? {
        get { values[name] }
        set { values[name] = newValue }
    }

    /// A text with its expressions replaced; what is not set is an empty text, as there.
    ///
    /// - Throws: for an expression that is more than a name.
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

    /// A map of texts, or of maps that have one text each.
    func expanded(_ node: Node?, each key: String? = nil) throws -> [String: String] {
        guard let mapping = node?.mapping else { return [:] }
        var result: [String: String] = [:]
        for (name, value) in mapping {
            let text = try #require(key.map { value[$0]?.string } ?? value.string)
            result[try #require(name.string)] = try expanded(text)
        }
        return result
    }

    /// `name != 'text'` and `name == other`, and several with `&&`.
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
