/// The full ID of a commit: 40 hexadecimal digits, or 64 in a repository with SHA-256.
///
/// Once resolved, a commit is passed on only in this form, which cannot be mistaken for an option or
/// another name.
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

    /// The first 12 digits, enough for people to compare.
    package var short: String { description.shortCommit }
}

extension StringProtocol {
    /// The first 12 digits of a commit ID, the form shown to people.
    package var shortCommit: String { String(prefix(12)) }
}
