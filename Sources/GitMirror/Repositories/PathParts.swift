extension String {
    /// The folders and the file that a path names, parted as the system parts it.
    ///
    /// By scalars: a slash with a combining mark behind it is one character.
    var pathParts: [String] {
        unicodeScalars.split(separator: "/", omittingEmptySubsequences: false).map { String($0) }
    }
}
