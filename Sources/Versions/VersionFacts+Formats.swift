import Bytes

/// The variables as those who build take them.
extension VersionFacts {
    /// Lines for the file that `GITHUB_OUTPUT` or `GITHUB_ENV` names.
    ///
    /// The delimiter is an unpredictable text, so that no commit's subject can end the notes
    /// and begin a variable of its own.
    package func githubOutput(delimiter: String) -> String {
        variables.map { name, value in
            value.utf8.contains { $0 == 0x0A || $0 == 0x0D }
                ? "\(name)<<\(delimiter)\n\(value)\n\(delimiter)\n" : "\(name)=\(value)\n"
        }
        .joined()
    }

    /// Lines for `eval "$(…)"`: every value stands in single quotation marks.
    package var shellText: String {
        variables.map { name, value in "export \(name)=\(ShellWord(value))\n" }.joined()
    }

    /// What a file of settings gives to a build.
    package var settings: [(name: String, value: String)] {
        [
            ("MARKETING_VERSION", marketingVersion),
            ("CURRENT_PROJECT_VERSION", String(buildNumber)),
        ]
    }
}
