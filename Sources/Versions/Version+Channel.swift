extension Version {
    /// The channel that offers it: `stable`, or the pre-release's word, such as `beta`.
    ///
    /// `beta.4`, `beta4` and `Beta` are `beta`; a pre-release without a word, or one that calls
    /// itself stable, is `pre`.
    package var channel: String {
        guard let first = prerelease.first else { return "stable" }
        let word = String(first.lowercased().prefix(63))
        let end = word.lastIndex { $0.isLetter }.map { word[...$0] } ?? ""
        let name = String(end.drop { $0 == "-" })
        return name.isEmpty || name == "stable" ? "pre" : name
    }
}
