import Bytes
package import Problems

/// The name of a git tag that is safe in a command, an environment variable, a page and a file name.
///
/// Git allows many other names, including `$(…)` and `--upload-pack=…`; only ASCII letters, digits and `.
/// _ + - / @` are accepted here, from any source.
package struct TagName: Hashable, Sendable, CustomStringConvertible {
    package let rawValue: String

    /// Parses a short name, `v1.2.3` or `browsey/v1.2.3`.
    ///
    /// - Throws: ``TagFlaw``.
    package init(_ text: String) throws(TagFlaw) {
        guard !text.isEmpty else { throw .empty }
        guard text.utf8.count <= 200 else { throw .tooLong }
        guard text.first != "-" else { throw .leadingHyphen(text) }
        if let scalar = text.unicodeScalars.first(where: { !Self.isAllowed($0) }) {
            throw .character(String(scalar), in: text)
        }
        // The rules of `git check-ref-format` that still apply to these characters.
        let components = text.split(separator: "/", omittingEmptySubsequences: false)
        guard !text.contains(".."), !text.hasSuffix("."), text != "@",
            components.allSatisfy({
                !$0.isEmpty && $0.first != "." && !$0.hasSuffix(".lock")
            })
        else { throw .notAReference(text) }
        rawValue = text
    }

    /// Parses `refs/tags/v1.2.3`; nil for a reference that is not a tag.
    ///
    /// - Throws: ``TagFlaw`` for a tag whose name is refused.
    package init?(reference: String) throws(TagFlaw) {
        guard reference.hasPrefix(Self.folder) else { return nil }
        try self.init(String(reference.dropFirst(Self.folder.count)))
    }

    /// The only form that is passed to git: it cannot be mistaken for an option, a branch or a commit.
    package var reference: String { Self.folder + rawValue }

    package var description: String { rawValue }

    private static let folder = "refs/tags/"

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", ".", "_", "+", "-", "/", "@": true
        default: false
        }
    }
}

/// Why the name of a tag is refused.
package enum TagFlaw: ReportableError, Hashable, Sendable {
    case empty
    case tooLong
    case leadingHyphen(String)
    case character(String, in: String)
    /// Git does not allow the name.
    case notAReference(String)
}

extension TagFlaw: CustomStringConvertible {
    package var description: String {
        switch self {
        case .empty: "the tag has no name"
        case .tooLong: "the tag's name has more than 200 characters"
        case .leadingHyphen(let name):
            "the tag \(quoted: name) begins with a hyphen, as an option does"
        case .character(let character, let name):
            "the tag \(quoted: name) has \(quoted: character) in its name"
        case .notAReference(let name): "\(quoted: name) is not a name that git allows for a tag"
        }
    }

    package var id: String { "tag.refused" }
    package var kind: Problem.Kind { .invalid }

    package var fix: String {
        "name tags with letters, digits and . _ + - / @ only, such as v1.2.3"
    }
}
