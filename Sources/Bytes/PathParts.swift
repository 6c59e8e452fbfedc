extension String {
    /// The folders and the file that a path names, parted as the system parts it.
    ///
    /// By scalars: a slash with a combining mark behind it is one character.
    package var pathParts: [String] {
        unicodeScalars.split(separator: "/", omittingEmptySubsequences: false).map { String($0) }
    }

    /// What follows a prefix, compared by bytes; nil without it.
    package func droppingPrefix(_ prefix: String) -> String? {
        utf8.starts(with: prefix.utf8) ? String(Substring(utf8.dropFirst(prefix.utf8.count))) : nil
    }
}
