/// The name of a document inside the store: `apps/com.example.app/app.json`.
///
/// Every component is one to 200 letters, digits, `.`, `_`, `-`, `+` and `~`, and begins with a
/// letter, digit or `~`, so no name leaves the store, hides, or looks like an option.
package struct DocumentName: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let components: [String]

    /// - Throws: ``StoreFailure/unusableName(_:)`` for anything that is not allowed.
    package init(_ components: String...) throws(StoreFailure) {
        try self.init(components: components)
    }

    package init(components: [String]) throws(StoreFailure) {
        guard (1...6).contains(components.count), components.allSatisfy(Self.isAllowed) else {
            throw .unusableName(components.joined(separator: "/"))
        }
        self.components = components
    }

    /// A name that stands in the source.
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

    /// The document `name` in this folder.
    package func appending(_ name: String) throws(StoreFailure) -> DocumentName {
        try DocumentName(components: components + [name])
    }

    /// The folder that it is in; nil at the top.
    package var folder: DocumentName? {
        components.count > 1 ? DocumentName(checked: Array(components.dropLast())) : nil
    }

    package static func < (left: DocumentName, right: DocumentName) -> Bool {
        left.components.lexicographicallyPrecedes(right.components)
    }

    /// Whether an earlier generation of the document is kept: not of journals, which only grow, and
    /// not of what is arriving, given to runners or guessed, nor of people's sessions, which is worth nothing once it is over.
    package var hasGenerations: Bool {
        components.first != DocumentName.uploads.components.first
            && components.first != DocumentName.stages.components.first
            && components.first != DocumentName.guesses.components.first
            && components.first != DocumentName.people.components.first
            && !isJournal
    }

    /// Whether lines are only added to it, so that ``Journals`` keeps it.
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

    /// The folder of the stages of builds that runners do.
    package static let stages = DocumentName(known: "stages")

    /// What the name of the generation before the current one ends in; no name can end so.
    package static let previousSuffix = "@previous"

    /// What the name of a version ends in that was undone; no name can end so.
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
