import ArgumentParser
import Bytes
import Foundation
import Problems
import Sandboxing

extension OTA {
    /// Runs one command line and says how it went.
    ///
    /// - Returns: the exit status: 0 for done, 1 for refused, 64 for wrong usage.
    package static func run(_ arguments: [String]) async -> Int32 {
        Confinement.keepCapabilitiesFromPrograms()
        StandardStreams.occupy()
        let terminal = CommandContext.live.terminal
        if arguments == ["--version"] {
            // Scripts ask for it before each use, and nothing needs to be parsed for it.
            try? terminal.print(version)
            return 0
        }
        do {
            var command = try command(in: arguments)
            let kind = type(of: command)
            do {
                if var asynchronous = command as? any AsyncParsableCommand {
                    try await asynchronous.run()
                } else {
                    try command.run()
                }
            } catch let error as ValidationError {
                // The parser no longer knows which command refuses what was typed for it.
                let name = name(of: kind) ?? "ota"
                let problem = Problem(ofUsage: error.message.cutting(arguments), of: name)
                terminal.remark(problem.text(json: false, style: terminal.errorStyle))
                return ExitCode.validationFailure.rawValue
            }
            return 0
        } catch let code as ExitCode {
            return code.rawValue
        } catch  where isAboutUsage(error) {
            let text = fullMessage(for: error).cutting(arguments)
            if exitCode(for: error) == .success {
                try? terminal.print(text)
                return 0
            }
            let problem = UsageRefusal(
                arguments,
                message: message(for: error).cutting(arguments),
                explained: text,
            )
            terminal.remark(
                problem.text(json: arguments.contains("--json"), style: terminal.errorStyle)
            )
            return exitCode(for: error).rawValue
        } catch {
            let problem = Problem(error)
            terminal.remark(
                problem.text(json: arguments.contains("--json"), style: terminal.errorStyle)
            )
            return problem.kind.exitStatus
        }
    }

    /// The command of a command line, ready to run.
    ///
    /// On its way from the root the parser collects and, in debug builds, checks the options of the named command
    /// four times; so that command alone is parsed first. What it refuses or answers itself, such as help, is
    /// parsed from the root, so that the answer names the whole command.
    static func command(in arguments: [String]) throws -> any ParsableCommand {
        if let (kind, rest) = named(by: arguments), let command = try? kind.parseAsRoot(rest),
            type(of: command) == kind
        {
            return command
        }
        return try parseAsRoot(arguments)
    }

    /// The command that the first arguments name, and the arguments after them; nil where they name none, or
    /// a group of commands.
    private static func named(
        by arguments: [String]
    ) -> (kind: any ParsableCommand.Type, rest: [String])? {
        var kind: any ParsableCommand.Type = OTA.self
        var rest = arguments[...]
        while let name = rest.first,
            let next = kind.configuration.subcommands.first(where: {
                $0._commandName == name || $0.configuration.aliases.contains(name)
            })
        {
            kind = next
            rest.removeFirst()
        }
        guard kind != OTA.self, kind.configuration.subcommands.isEmpty else { return nil }
        return (kind, Array(rest))
    }

    /// What is typed for a command, as in `ota mirror add`; nil for one that there is not.
    private static func name(
        of command: any ParsableCommand.Type,
        below parent: any ParsableCommand.Type = OTA.self,
    ) -> String? {
        guard parent != command else { return parent._commandName }
        return parent.configuration.subcommands.lazy
            .compactMap { name(of: command, below: $0) }.first
            .map { parent._commandName + " " + $0 }
    }

    /// Whether the parser is asked for help, or refuses what was typed.
    private static func isAboutUsage(_ error: any Error) -> Bool {
        let code = exitCode(for: error)
        return code == .success || code == .validationFailure || error is ValidationError
    }
}

extension String {
    /// The same without repeating what was typed in full, where that is long or steers a terminal.
    fileprivate func cutting(_ arguments: [String]) -> String {
        var values = arguments
        for argument in arguments {
            let parts = argument.split(separator: "=", maxSplits: 1)
            if parts.count == 2 { values.append(String(parts[1])) }
        }
        values.removeAll { $0.allSatisfy(\.isWhitespace) }
        values.sort { $0.utf8.count > $1.utf8.count }
        // By bytes: a mark in front of a value is one character with what stands before it.
        let text = values.reduce(Array(utf8)) { text, value in
            let shown = PrintableText(escaping: value, limit: 100).text
            return shown == value
                ? text : text.replacing(Array(value.utf8), with: Array(shown.utf8))
        }
        return String(decoding: text, as: UTF8.self)
    }
}
