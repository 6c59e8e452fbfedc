import Bytes

/// The variables in the formats that build systems accept.
extension VersionFacts {
    /// Lines for the file named by `GITHUB_OUTPUT` or `GITHUB_ENV`.
    ///
    /// `delimiter` must be unpredictable, so that the subject of a commit cannot end the notes and begin
    /// another variable.
    package func githubOutput(delimiter: String) -> String {
        variables.map { name, value in
            value.utf8.contains { $0 == 0x0A || $0 == 0x0D }
                ? "\(name)<<\(delimiter)\n\(value)\n\(delimiter)\n" : "\(name)=\(value)\n"
        }
        .joined()
    }

    /// Lines for `eval "$(…)"`, with every value in single quotes.
    package var shellText: String {
        variables.map { name, value in "export \(name)=\(ShellWord(value))\n" }.joined()
    }

    /// The settings for a build, as in an `.xcconfig` file.
    package var settings: [(name: String, value: String)] {
        [
            ("MARKETING_VERSION", marketingVersion),
            ("CURRENT_PROJECT_VERSION", String(buildNumber)),
        ]
    }
}
