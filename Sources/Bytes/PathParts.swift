extension String {
    /// The components of a path, split as the system splits it.
    ///
    /// Splits by Unicode scalars, because a slash and a combining mark after it are one `Character`.
    package var pathParts: [String] {
        unicodeScalars.split(separator: "/", omittingEmptySubsequences: false).map { String($0) }
    }

    /// The text after a prefix, compared by bytes; nil without it.
    package func droppingPrefix(_ prefix: String) -> String? {
        utf8.starts(with: prefix.utf8) ? String(Substring(utf8.dropFirst(prefix.utf8.count))) : nil
    }
}
