import Bytes

/// The variables as those who build take them.
extension VersionFacts {
    /// Lines for the file that `GITHUB_OUTPUT` or `GITHUB_ENV` names.
    ///
    /// The delimiter is a text that nobody foretells, so that no commit's subject can end the notes
    /// and begin a variable of its own.
    package func githubOutput(delimiter: String) -> String {
        variables.map { name, value in
            value.contains("\n")
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

extension ConfigFile {
    /// A text of settings in which some have new values; all else stays as it is.
    ///
    /// Assignments without conditions are exchanged where they stand, others are added at the end;
    /// an empty text is a new file.
    package static func setting(
        _ values: [(name: String, value: String)],
        in text: String,
    ) -> String {
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .map(String.init)
        while lines.last?.isEmpty == true { lines.removeLast() }
        for (name, value) in values {
            let line = "\(name) = \(value)"
            let places = lines.indices.filter { isAssignment(lines[$0], of: name) }
            for place in places { lines[place] = line }
            if places.isEmpty { lines.append(line) }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func isAssignment(_ line: String, of name: String) -> Bool {
        let line = line[...].trimmingSpace
        guard line.hasPrefix(name) else { return false }
        return line.dropFirst(name.count).trimmingSpace.first == "="
    }
}
