extension Version {
    /// The channel of the version: `stable`, or the pre-release identifier, such as `beta`.
    ///
    /// `beta.4`, `beta4` and `Beta` give `beta`; a pre-release without letters, or named "stable", gives
    /// `pre`.
    package var channel: String {
        guard let first = prerelease.first else { return "stable" }
        let word = String(first.lowercased().prefix(63))
        let end = word.lastIndex { $0.isLetter }.map { word[...$0] } ?? ""
        let name = String(end.drop { $0 == "-" })
        return name.isEmpty || name == "stable" ? "pre" : name
    }
}
