import APIDocuments
import Bytes
import Foundation
import TestSupport
import Testing

/// Every option of every command has a test that shows its effect.
@Suite struct OptionEffectTests {
    /// A command with an option, such as `mirror add --tag`.
    private struct Option: Hashable, CustomStringConvertible {
        let command, name: String

        var description: String { "\(command) --\(name)" }
    }

    @Test func `every option is in the list of those whose effect is tested, and no other`()
        async throws
    {
        let options = try await Self.options.value
        #expect(options.count > 200, "the command tree was read")
        var listed: [Option: String] = [:]
        for entry in try Self.entries.get() {
            for option in options where entry.includes(option) { listed[option] = entry.test }
            #expect(
                options.contains(where: entry.includes),
                "\(entry): there is no such option",
            )
        }
        let missing = options.subtracting(listed.keys).map(\.description).sorted()
        #expect(missing.isEmpty, "no test shows what these change: \(missing)")
    }

    @Test func `the tests of that list are there, and give those options`() throws {
        var sources: [String: [UInt8]] = [:]
        for (name, source) in try Self.sources.get() {
            sources[String(name.prefix { $0 != "/" }), default: []] += source
        }
        for entry in try Self.entries.get() {
            let source = sources.values.first {
                $0.firstRange(ofBytes: "func `\(entry.test)`(".utf8) != nil
            }
            guard let source else {
                Issue.record("there is no test `\(entry.test)`")
                continue
            }
            for name in entry.names {
                let isGiven = source.firstRange(ofBytes: "--\(name)".utf8) != nil
                #expect(isGiven, "`\(entry.test)` never gives --\(name)")
            }
        }
    }

    /// The API's settings of a mirror are the options of `mirror set`.
    @Test func `every setting of a mirror has an option`() async throws {
        let others = [
            "tags": "tag", "branches": "branch", "apps": "app", "readFolders": "read-folder",
        ]
        let options = try await Self.options.value
        for key in MirrorChange.CodingKeys.allCases {
            let words = key.rawValue.replacing(/[A-Z]/) { "-" + $0.output.lowercased() }
            let name = others[key.rawValue] ?? words
            #expect(options.contains(Option(command: "mirror set", name: name)), "\(key)")
        }
    }

    // MARK: Parts

    private struct Entry {
        let test: String
        let commands: [String]
        let names: [String]

        func includes(_ option: Option) -> Bool {
            names.contains(option.name) && (commands == ["*"] || commands.contains(option.command))
        }
    }

    /// The entries of the list, and those above the tests.
    private static let entries = Result {
        var entries: [Entry] = []
        var test = ""
        for line in OptionEffects.list.split(separator: "\n") {
            if line.hasPrefix("# ") {
                test = String(line.dropFirst(2))
            } else {
                entries.append(entry(line, of: test))
            }
        }
        for (_, source) in try sources.get() {
            // A claim is on a line of its own, before the line of the test.
            var rest = source[...]
            while let claim = rest.firstRange(ofBytes: "// Options: ".utf8) {
                let options = rest[claim.upperBound...].prefix { $0 != UInt8(ascii: "\n") }
                rest = rest[options.endIndex...]
                guard let name = rest.firstRange(ofBytes: "func `".utf8) else { break }
                let test = rest[name.upperBound...].prefix { $0 != UInt8(ascii: "`") }
                let line = Substring(decoding: options, as: UTF8.self)
                entries.append(entry(line, of: String(decoding: test, as: UTF8.self)))
            }
        }
        return entries
    }

    /// - Parameters:
    ///   - line: such as `tokens create|rotate: file`.
    ///   - test: the test that shows the effect.
    /// - Returns: the commands and their options.
    private static func entry(_ line: Substring, of test: String) -> Entry {
        let parts = line.split(separator: ":", maxSplits: 1)
        let words = parts[0].split(separator: " ").map(String.init)
        // `mirror add|set` means two commands.
        let ends = words.last?.split(separator: "|").map(String.init) ?? []
        let commands = ends.map { (words.dropLast() + [$0]).joined(separator: " ") }
        return Entry(
            test: test,
            commands: commands,
            names: parts[1].split(separator: " ").map(String.init),
        )
    }

    /// The sources of the tests, by their paths relative to `Tests`.
    private static let sources = Result {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent()
        return try FileManager.default.subpathsOfDirectory(atPath: folder.path())
            .filter {
                $0.hasSuffix(".swift")
                    && !["OptionEffects.swift", "OptionEffectTests.swift"].contains(
                        URL(filePath: $0).lastPathComponent
                    )
            }
            .map { ($0, [UInt8](try Data(contentsOf: folder.appending(path: $0)))) }
    }

    /// The options as the program itself lists them, which takes seconds if it is not optimised.
    private static let options = Task {
        let program = try #require(Program(built: "ota"), "ota was not built beside the tests")
        let told = try await program.run(
            ["--experimental-dump-help"],
            in: FileManager.default.temporaryDirectory,
        )
        return options(in: try JSON(told.output))
    }

    private static func options(in tree: JSON) -> Set<Option> {
        var options: Set<Option> = []
        func visit(_ command: JSON, _ path: [String]) {
            for argument in command["arguments"].items {
                for name in argument["names"].items where name["kind"].string == "long" {
                    guard let name = name["name"].string, name != "help" else { continue }
                    // `--version` is the program's own option, except in `sample`.
                    if name == "version", path.first != "sample" { continue }
                    options.insert(Option(command: path.joined(separator: " "), name: name))
                }
            }
            for below in command["subcommands"].items {
                guard let name = below["commandName"].string, name != "help" else { continue }
                visit(below, path + [name])
            }
        }
        visit(tree["command"], [])
        return options
    }
}
