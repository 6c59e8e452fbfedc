import ArgumentParser
import Foundation
import Testing

@testable import OTACommands

@Suite struct HelpTests {
    @Test func `every command has a sentence and an example that can be pasted`() throws {
        for command in Self.leaves(of: OTA.self) {
            let configuration = command.configuration
            #expect(!configuration.abstract.isEmpty, "\(command)")
            #expect(configuration.discussion.contains("ota "), "\(command) shows no example")
        }
    }

    @Test func `every example is a command line that parses`() throws {
        for command in Self.leaves(of: OTA.self) {
            for line in command.configuration.discussion.split(separator: "\n") {
                let words = Self.words(of: line.trimmingCharacters(in: .whitespaces))
                guard words.first == "ota", words.count > 1 else { continue }
                #expect(throws: Never.self, "\(line)") {
                    _ = try OTA.command(in: Array(words.dropFirst()))
                }
            }
        }
    }

    @Test func `no example is broken over two lines in a terminal of 80 columns`() {
        for command in Self.all(of: OTA.self) {
            let lines = command.configuration.discussion.split(separator: "\n")
            // Unoptimised help takes long, and only long lines can be broken.
            let examples = lines.filter { $0.hasPrefix("  ") && $0.count > 70 }
            guard !examples.isEmpty else { continue }
            let help = OTA.helpMessage(for: command, columns: 80).split(separator: "\n")
            for line in examples {
                #expect(line.count <= 80, "\(command): \(line)")
                #expect(help.contains(line), "\(command): \(line)")
            }
        }
    }

    /// Commands that can also use a server hide these options and say where they are.
    @Test func `every command with a store has the options of a bucket`() {
        let options = BucketOptions.options
        #expect(options.count == 6)
        var count = 0
        for command in Self.leaves(of: OTA.self) {
            let all = OTA.helpMessage(for: command, includeHidden: true)
            guard all.contains("--store <") || command == StoreCopyCommand.self else { continue }
            count += 1
            let missing = options.filter { !all.contains($0 + " ") && !all.contains($0 + "\n") }
            #expect(missing.isEmpty, "\(command) has no \(missing)")
            let shown = OTA.helpMessage(for: command, columns: 1000)
            #expect(
                shown.contains("--store-endpoint") || shown.contains("that --help-hidden lists"),
                "\(command)",
            )
        }
        #expect(count > 50)
    }

    @Test func `options that were renamed keep their former names`() throws {
        let pairs: [([String], String, String)] = [
            (["publish", "a.ipa"], "--trusted-ca", "--anchor"),
            (["doctor", "https://a.example"], "--trusted-ca", "--trust"),
            (["doctor", "https://a.example"], "--save-ipa", "--keep"),
            (["serve"], "--allow-host", "--also-host"),
            (["serve"], "--max-upload-mb", "--largest-upload"),
            (["serve"], "--reserve-mb", "--keep-free"),
            (["serve"], "--trusted-device-ca", "--device-anchor"),
            (["serve"], "--store-ca-file", "--store-anchor"),
            (["teams", "check", "ABCDE12345"], "--apple-ca-file", "--apple-anchor"),
            (["serve", "--acme", "a@example.com"], "--acme-ca-file", "--acme-anchor"),
            (
                ["serve", "--smtp", "smtps://a.example", "--smtp-from", "a@example.com"],
                "--smtp-ca-file", "--smtp-anchor",
            ),
        ]
        for (words, name, former) in pairs {
            let value = name.hasSuffix("-mb") ? "7" : "a.example"
            let commands = try [name, former].map { try OTA.command(in: words + [$0, value]) }
            #expect("\(commands[0])" == "\(commands[1])", "\(name)")
            let plain = try OTA.command(in: words)
            #expect("\(commands[0])" != "\(plain)", "\(name)")
            let joined = try OTA.command(in: words + ["\(former)=\(value)"])
            #expect("\(joined)" == "\(commands[0])", "\(former)=")
            let help = OTA.helpMessage(for: type(of: plain), columns: 200)
            #expect(!help.contains("\(former) ") && help.contains("\(name) "), "\(former)")
        }
        // The same name is an option of another command, and after `--` nothing is an option.
        #expect(throws: Never.self) {
            _ = try OTA.command(in: ["releases", "prune", "browsey", "--keep", "3"])
        }
        let file = try OTA.command(in: ["inspect", "--", "--anchor"])
        #expect("\(file)".contains("\"--anchor\""))
        #expect(try OTA.command(in: ["mirrors", "list"]) is MirrorList)
    }

    private static func all(of command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
        let configuration = command.configuration
        let below =
            configuration.subcommands + configuration.groupedSubcommands.flatMap(\.subcommands)
        return [command] + below.flatMap(all)
    }

    private static func leaves(of command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
        all(of: command).filter {
            $0.configuration.subcommands.isEmpty && $0.configuration.groupedSubcommands.isEmpty
        }
    }

    /// Splits like a shell, as far as the examples need it.
    private static func words(of line: String) -> [String] {
        var words: [String] = []
        var word = ""
        var quote: Character?
        for character in line.prefix(while: { !"<>|".contains($0) }) {
            switch character {
            case _ where character == quote: quote = nil
            case "\"" where quote == nil, "'" where quote == nil: quote = character
            case " " where quote == nil:
                if !word.isEmpty { words.append(word) }
                word = ""
            default: word.append(character)
            }
        }
        return word.isEmpty ? words : words + [word]
    }
}
