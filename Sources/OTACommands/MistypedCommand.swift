import ArgumentParser
import Bytes

/// A command that does not exist, and those that may be meant.
struct MistypedCommand: Equatable {
    /// The commands before it, such as `ota devices`.
    let parent: String
    let typed: String
    /// Full commands, the most likely first; empty if none is similar.
    let candidates: [String]

    /// Returns the first command of a command line that does not exist.
    ///
    /// - Parameter arguments: the arguments after `ota`.
    /// - Returns: nil if the first words name a command, or an option comes first.
    static func first(in arguments: [String]) -> MistypedCommand? {
        var kind: any ParsableCommand.Type = OTA.self
        var path = ["ota"]
        for argument in arguments {
            let subcommands = kind.configuration.subcommands
            guard !subcommands.isEmpty, !argument.hasBytes(first: "-") else { return nil }
            let named = subcommands.first { command in
                command._commandName == argument
                    || command.configuration.aliases.contains(argument)
            }
            if let named {
                path.append(named._commandName)
                kind = named
                continue
            }
            guard argument != "help" else { return nil }
            let names = near(argument, among: subcommands.map { $0._commandName })
            return MistypedCommand(
                parent: path.joined(separator: " "),
                typed: argument,
                candidates: names.map { (path + [$0]).joined(separator: " ") },
            )
        }
        return nil
    }

    /// Worded like all other refusals.
    var message: String {
        "there is no command `\(parent) \(PrintableText(escaping: typed, limit: 60))`"
    }

    var fix: String {
        let help = "see `\(parent) --help`"
        guard !candidates.isEmpty else { return help }
        return
            "did you mean \(candidates.map { "`\($0)`" }.joined(separator: " or "))? If not, \(help)"
    }

    /// The most similar names, at most three; a common beginning counts as similar.
    private static func near(_ typed: String, among names: [String]) -> [String] {
        let word = typed.lowercased()
        let rated = names.map { name -> (name: String, distance: Int) in
            let isBeginning =
                word.count > 2 && (name.hasBytes(first: word) || word.hasBytes(first: name))
            return (name, isBeginning ? 1 : distance(word, name))
        }
        let limit = max(1, word.count / 3)
        let nearest = rated.filter { $0.distance <= limit }
        let least = nearest.map(\.distance).min()
        return nearest.filter { $0.distance == least }.map(\.name).prefix(3).map { $0 }
    }

    /// The number of letters to insert, delete, replace or swap with a neighbour to turn one into the
    /// other.
    private static func distance(_ left: String, _ right: String) -> Int {
        let left = Array(left.utf8.prefix(40))
        let right = Array(right.utf8.prefix(40))
        var before: [Int] = []
        var row = Array(0...right.count)
        for (i, letter) in left.enumerated() {
            var next = [i + 1]
            for (j, other) in right.enumerated() {
                var least = min(row[j + 1] + 1, next[j] + 1, row[j] + (letter == other ? 0 : 1))
                if i > 0, j > 0, letter == right[j - 1], left[i - 1] == other {
                    least = min(least, before[j - 1] + 1)
                }
                next.append(least)
            }
            before = row
            row = next
        }
        return row[right.count]
    }
}
