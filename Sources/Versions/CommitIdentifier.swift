/// The name of a commit in full: 40 hexadecimal digits, or 64 in a repository with SHA-256.
///
/// What was resolved once is handed on in this form only; nothing in it can be taken for an option
/// or another name.
package struct CommitIdentifier: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init?(_ text: some StringProtocol) {
        guard [40, 64].contains(text.utf8.count),
            text.utf8.allSatisfy({
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            })
        else { return nil }
        description = String(text)
    }

    /// The first digits, enough for people to compare.
    package var short: String { description.shortCommit }
}

extension StringProtocol {
    /// The first 12 digits of a commit's name, as everything that people read has it.
    package var shortCommit: String { String(prefix(12)) }
}
