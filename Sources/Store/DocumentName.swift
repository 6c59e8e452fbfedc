/// The name of a document inside the store: `apps/com.example.app/app.json`.
///
/// Every component has one to 200 letters, digits, `.`, `_`, `-`, `+` and `~`, and starts with a letter,
/// digit or `~`. No name can therefore leave the store, be a hidden file, or look like an option.
package struct DocumentName: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let components: [String]

    /// - Throws: ``StoreFailure/unusableName(_:)`` unless there are one to six allowed components.
    package init(_ components: String...) throws(StoreFailure) {
        try self.init(components: components)
    }

    package init(components: [String]) throws(StoreFailure) {
        guard (1...6).contains(components.count), components.allSatisfy(Self.isAllowed) else {
            throw .unusableName(components.joined(separator: "/"))
        }
        self.components = components
    }

    /// A name that is a literal in the source code, and is not checked.
    init(known components: String...) {
        self.components = components
    }

    private init(checked components: [String]) {
        self.components = components
    }

    /// Parses `apps/com.example.app/app.json`.
    package init(path: String) throws(StoreFailure) {
        try self.init(
            components: path.split(separator: "/", omittingEmptySubsequences: false).map(
                String.init
            )
        )
    }

    package var path: String { components.joined(separator: "/") }

    package var description: String { path }

    /// The name of the document `name` in this folder.
    package func appending(_ name: String) throws(StoreFailure) -> DocumentName {
        try DocumentName(components: components + [name])
    }

    /// The folder that contains it; nil at the top level.
    package var folder: DocumentName? {
        components.count > 1 ? DocumentName(checked: Array(components.dropLast())) : nil
    }

    package static func < (left: DocumentName, right: DocumentName) -> Bool {
        left.components.lexicographicallyPrecedes(right.components)
    }

    /// Whether an earlier generation of the document is kept.
    ///
    /// None is kept of journals, which are only appended to; nor of uploads, runner stages, counters of
    /// guesses and people's sessions, which are worthless once they are over.
    package var hasGenerations: Bool {
        components.first != DocumentName.uploads.components.first
            && components.first != DocumentName.stages.components.first
            && components.first != DocumentName.guesses.components.first
            && components.first != DocumentName.people.components.first
            && !isJournal
    }

    /// Whether it is a journal, kept by ``Journals``.
    package var isJournal: Bool {
        path.hasSuffix(JournalMonth.suffix) || path.hasSuffix(JournalMonth.unreadableSuffix)
    }

    /// Whether the text can be a component of a name.
    package static func isAllowed(_ component: String) -> Bool {
        guard (1...200).contains(component.utf8.count), let first = component.utf8.first else {
            return false
        }
        return component.utf8.allSatisfy(isPlain) && (isAlphanumeric(first) || first == tilde)
    }

    /// The folder of the build stages that runners perform.
    package static let stages = DocumentName(known: "stages")

    /// The suffix of the name of a document's previous generation; no other name can end like this.
    package static let previousSuffix = "@previous"

    /// The suffix of the name of a version that was undone; no other name can end like this.
    package static let undoneSuffix = "@undone"

    private static let tilde = UInt8(ascii: "~")

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"):
            true
        default:
            false
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        isAlphanumeric(byte) || "._-+~".utf8.contains(byte)
    }
}
