import ArgumentParser
import Bytes
import Foundation
import Problems
import Sandboxing

extension OTA {
    /// Runs one command line and reports errors.
    ///
    /// - Returns: the exit status: 0 for success, 1 for a refusal or failure, 64 for wrong usage.
    package static func run(_ arguments: [String]) async -> Int32 {
        Confinement.keepCapabilitiesFromPrograms()
        StandardStreams.occupy()
        let terminal = CommandContext.live.terminal
        if arguments == ["--version"] {
            // Scripts call this often, and nothing needs to be parsed for it.
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
                // The parser no longer knows the command whose validation failed.
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

    /// Parses the command of a command line.
    ///
    /// On its way from the root the parser collects and, in debug builds, checks the options of the named
    /// command four times; so only that command is parsed first. If the parser refuses the arguments, or
    /// answers them itself as with help, they are parsed from the root, so that the answer names the whole
    /// command.
    static func command(in arguments: [String]) throws -> any ParsableCommand {
        let arguments = FormerOptions.replaced(in: arguments)
        if let (kind, rest) = named(by: arguments), let command = try? kind.parseAsRoot(rest),
            type(of: command) == kind
        {
            return command
        }
        return try parseAsRoot(arguments)
    }

    /// The command that the first arguments name, and the arguments after them; nil if they name none, or a
    /// group of commands.
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

    /// The full name of a command, such as `ota mirror add`; nil if it is not part of the command line.
    private static func name(
        of command: any ParsableCommand.Type,
        below parent: any ParsableCommand.Type = OTA.self,
    ) -> String? {
        guard parent != command else { return parent._commandName }
        return parent.configuration.subcommands.lazy
            .compactMap { name(of: command, below: $0) }.first
            .map { parent._commandName + " " + $0 }
    }

    /// Whether the user asked for help, or the parser refused the arguments.
    private static func isAboutUsage(_ error: any Error) -> Bool {
        let code = exitCode(for: error)
        return code == .success || code == .validationFailure || error is ValidationError
    }
}

extension String {
    /// The same text with arguments shortened and escaped that are long or contain control characters.
    fileprivate func cutting(_ arguments: [String]) -> String {
        var values = arguments
        for argument in arguments {
            let parts = argument.split(separator: "=", maxSplits: 1)
            if parts.count == 2 { values.append(String(parts[1])) }
        }
        values.removeAll { $0.allSatisfy(\.isWhitespace) }
        values.sort { $0.utf8.count > $1.utf8.count }
        // By bytes, because a combining mark at the beginning of a value forms one character with what
        // precedes it.
        let text = values.reduce(Array(utf8)) { text, value in
            let shown = PrintableText(escaping: value, limit: 100).text
            return shown == value
                ? text : text.replacing(Array(value.utf8), with: Array(shown.utf8))
        }
        return String(decoding: text, as: UTF8.self)
    }
}
