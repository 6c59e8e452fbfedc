import Bytes
package import Problems

/// The name of a git tag that may stand in a command, an environment, a page and a file name.
///
/// Git allows far more in a name than that, `$(…)` and `--upload-pack=…` among it; what is not made
/// of ASCII letters, digits and `. _ + - / @` alone is refused, wherever it comes from.
package struct TagName: Hashable, Sendable, CustomStringConvertible {
    package let rawValue: String

    /// Takes a short name, `v1.2.3` or `browsey/v1.2.3`.
    ///
    /// - Throws: ``TagFlaw`` with what is wrong about it.
    package init(_ text: String) throws(TagFlaw) {
        guard !text.isEmpty else { throw .empty }
        guard text.utf8.count <= 200 else { throw .tooLong }
        guard text.first != "-" else { throw .leadingHyphen(text) }
        if let scalar = text.unicodeScalars.first(where: { !Self.isAllowed($0) }) {
            throw .character(String(scalar), in: text)
        }
        // The rules of `git check-ref-format` that the alphabet leaves.
        let components = text.split(separator: "/", omittingEmptySubsequences: false)
        guard !text.contains(".."), !text.hasSuffix("."), text != "@",
            components.allSatisfy({
                !$0.isEmpty && $0.first != "." && !$0.hasSuffix(".lock")
            })
        else { throw .notAReference(text) }
        rawValue = text
    }

    /// Takes `refs/tags/v1.2.3`; nil for a reference that is no tag.
    ///
    /// - Throws: ``TagFlaw`` for a tag whose name is refused.
    package init?(reference: String) throws(TagFlaw) {
        guard reference.hasPrefix(Self.folder) else { return nil }
        try self.init(String(reference.dropFirst(Self.folder.count)))
    }

    /// The only form that git is given: it cannot be taken for an option, a branch or a commit.
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

/// Why a tag's name is refused.
package enum TagFlaw: ReportableError, Hashable, Sendable {
    case empty
    case tooLong
    case leadingHyphen(String)
    case character(String, in: String)
    /// Git itself has no such reference.
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
